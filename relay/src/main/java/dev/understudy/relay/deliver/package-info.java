/**
 * What the debug JVM still has to be told, and telling it.
 *
 * <pre>
 *   offer ─▶ Window: DebugEvent · DebugEvent · DebugEvent ─▶ Gate (the floor above) ─▶ Deliverer ─▶ CueWriter ─▶ debug
 *                                                                     │  ▲         DebugObserver ◀── replies
 *                                                              DebugConnector ─ DebugPeer: may it be tried again?
 * </pre>
 *
 * <p>Everything here is confined to its lane loop, but {@link dev.understudy.relay.deliver.DebugPeer}, which all lanes
 * to one debug JVM share.
 */
@NullMarked
package dev.understudy.relay.deliver;

import org.jspecify.annotations.NullMarked;
