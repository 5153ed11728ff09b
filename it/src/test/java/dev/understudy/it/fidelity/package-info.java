/** Small runs of the fidelity suites, so that what they find is found on the day it breaks. */
@NullMarked
package dev.understudy.it.fidelity;

import org.jspecify.annotations.NullMarked;
