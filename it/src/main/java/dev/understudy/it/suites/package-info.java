/**
 * Whole test suites of public drivers, run in production and against what was recorded of it.
 *
 * <pre>
 *   SuiteSource (GoModule, PythonPackage)   fetches a pinned version, runs it against a port
 *   DriverSuites                            which ones, with their server and settings
 *   SuiteTrial                              production first, then debug, or both at once
 *   GoTestReader, JunitReader               what a run says of each test
 *   SuiteComparison, ExcludedTests          test by test
 * </pre>
 */
@NullMarked
package dev.understudy.it.suites;

import org.jspecify.annotations.NullMarked;
