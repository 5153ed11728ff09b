/** What stands in a bundle of the polyglot application. */
@NullMarked
package dev.understudy.agent.fork.bundle;

import org.jspecify.annotations.NullMarked;
