/** JSON that others have written: callers, agents, debug JVMs, other processes. */
@NullMarked
package dev.understudy.relay.json;

import org.jspecify.annotations.NullMarked;
