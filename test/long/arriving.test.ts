import { describeArrivals, describeGrowingIndexes } from '../support/arrivals.js';

// The others are in test/integration.
describeArrivals('S3');
describeGrowingIndexes('S3', ['mkv', 'flv', 'fragmented']);
describeGrowingIndexes('disk', ['mkv', 'flv', 'fragmented', 'ts']);
