/**
 * Which class loaders find the bootstrap part, and what is done for those that ask only whom they please.
 *
 * <pre>
 *   class file of a loader ──▶ LoaderTransformer ──▶ its loadClass asks OwnClasses (bootstrap) first
 *   class that was woven ──▶ Reaching ──▶ Reach: would it find Probes? ──▶ woven, or left alone and told
 * </pre>
 */
@NullMarked
package dev.understudy.agent.loading;

import org.jspecify.annotations.NullMarked;
