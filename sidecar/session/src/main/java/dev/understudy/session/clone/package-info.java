/**
 * Copies of a running service: live with its memory, restarted from the same image, or started anew.
 */
@NullMarked
package dev.understudy.session.clone;

import org.jspecify.annotations.NullMarked;
