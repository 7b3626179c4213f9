#!/bin/sh
#SBATCH --job-name=podium
#SBATCH --nodes=3
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=16
# One worker per node with torch: sbatch slurm.sh. With mpi4py: srun --mpi=pmix python -m mpi4py mpi_train.py
set -eu
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes "$SLURM_NNODES" --nproc-per-node 1 --rdzv-backend c10d --rdzv-id "$SLURM_JOB_ID" \
  --rdzv-endpoint "$head:29400" torch_train.py
