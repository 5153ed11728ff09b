/**
 * What looking costs the debug JVM, beside the agents of other projects: subjects are JVMs that do the same with
 * different agents in them.
 */
@NullMarked
package dev.understudy.it.bench.agent;

import org.jspecify.annotations.NullMarked;
