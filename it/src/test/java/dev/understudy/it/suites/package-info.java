/** What the runner of driver suites reads and compares. */
@NullMarked
package dev.understudy.it.suites;

import org.jspecify.annotations.NullMarked;
