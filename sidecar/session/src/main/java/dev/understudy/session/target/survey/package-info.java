/**
 * A survey of a target, from what the kernel shows of it.
 */
@NullMarked
package dev.understudy.session.target.survey;

import org.jspecify.annotations.NullMarked;
