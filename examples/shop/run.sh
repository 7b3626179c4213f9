#!/bin/sh
# Product search with text columns, missing values, clicks and purchases: makes up a shop's table, trains
# a linear model and trees on grades and on clicks, and compares them on other queries.
#
# usage: examples/shop/run.sh [FOLDER [QUERIES]]      needs the program podium
set -e
folder=${1:-shop-example}
queries=${2:-400}
mkdir -p "$folder"
cd "$folder"

podium synth --preset shop --queries "$queries" -o train.csv
podium synth --preset shop --queries $((queries / 2)) --seed 2 -o valid.csv
podium synth --preset shop --queries "$queries" --seed 3 -o test.csv

texts="--categorical category,brand,colour"
grades="$texts --ignore click,purchase"

# On grades. Missing values and categories become numbers; a note says how.
podium train ranksvm --data train.csv --valid valid.csv $grades --model linear.json
podium train lambdamart --data train.csv --valid valid.csv $grades --trees 200 --model trees.json

# On what a user did; grades are ignored.
podium train lambdamart --data train.csv --valid valid.csv $texts --label "click*0.2+purchase" \
  --gain linear --trees 200 --model clicks.json

# All of them, by the grades of other queries.
for model in linear trees clicks; do
  podium eval --model $model.json --data test.csv $grades --measures nDCG@10 --quiet | grep nDCG@10
done

podium inspect linear.json
