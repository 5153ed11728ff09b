/**
 * The processes of a test: ours, from the archive in this jar, and the services'.
 */
@NullMarked
package dev.understudy.testing.process;

import org.jspecify.annotations.NullMarked;
