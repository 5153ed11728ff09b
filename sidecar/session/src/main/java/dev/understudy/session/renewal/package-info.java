/**
 * Fresh copies in place of one that has drifted away, when the sidecar finds that it is time.
 */
@NullMarked
package dev.understudy.session.renewal;

import org.jspecify.annotations.NullMarked;
