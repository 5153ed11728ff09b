/** Debug sessions on this machine, with real copies, packet filters and network namespaces. */
@NullMarked
package dev.understudy.it.session;

import org.jspecify.annotations.NullMarked;
