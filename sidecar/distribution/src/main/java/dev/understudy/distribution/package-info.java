/**
 * Files of the distribution that are made of the commands themselves: completions and manual pages.
 *
 * <pre>
 *   CommandTree ──▶ CommandDocuments ──▶ ManualPage · FishCompletion · ZshCompletion · (bash: picocli's)
 * </pre>
 */
@NullMarked
package dev.understudy.distribution;

import org.jspecify.annotations.NullMarked;
