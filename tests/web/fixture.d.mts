export function makeResults(options?: { queries?: number; systems?: number; failed?: boolean; seed?: number }): any;
export function makeResources(results: any): any;
export function writeFolder(folder: string, results: any, resources?: any): void;
