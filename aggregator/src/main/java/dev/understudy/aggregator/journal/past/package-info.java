/**
 * What a journal remembers of exchanges besides those that nobody has asked for yet: that there was one, whether
 * answers differ, the last of those that may be given again.
 *
 * <p>Everything here is bounded; what was recorded longest ago is forgotten.
 */
@NullMarked
package dev.understudy.aggregator.journal.past;

import org.jspecify.annotations.NullMarked;
