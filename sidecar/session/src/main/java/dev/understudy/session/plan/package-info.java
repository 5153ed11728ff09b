/**
 * What a session will do, before it does anything.
 */
@NullMarked
package dev.understudy.session.plan;

import org.jspecify.annotations.NullMarked;
