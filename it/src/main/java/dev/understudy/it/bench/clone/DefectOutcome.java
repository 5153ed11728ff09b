package dev.understudy.it.bench.clone;

/**
 * What came of one copy of a service with a defect in its memory.
 *
 * @param failing exchanges that failed in the copy, or differed without production being the one that failed
 * @param rank of the defect's method among the first five suspects; 0 if it isn't among them
 * @param seconds from the alert until suspects and report were there
 */
record DefectOutcome(long failing, int rank, double seconds) {}
