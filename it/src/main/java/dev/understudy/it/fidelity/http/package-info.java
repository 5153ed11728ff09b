/** Suites for HTTP. */
@NullMarked
package dev.understudy.it.fidelity.http;

import org.jspecify.annotations.NullMarked;
