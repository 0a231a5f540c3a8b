import { describeArrivals, describeGrowingIndexes } from '../support/arrivals.js';

// The others are in test/integration.
describeArrivals('S3');
describeGrowingIndexes('S3', ['mkv', 'flv', 'ts']);
describeGrowingIndexes('disk', ['fragmented', 'flv']);
