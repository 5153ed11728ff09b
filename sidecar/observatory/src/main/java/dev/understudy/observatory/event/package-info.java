/**
 * Exchanges of each tier with when they began and ended, from recordings and journals.
 */
@NullMarked
package dev.understudy.observatory.event;

import org.jspecify.annotations.NullMarked;
