/** What was made of class files in an earlier run, kept for the next one. */
@NullMarked
package dev.understudy.agent.cache;

import org.jspecify.annotations.NullMarked;
