/** A service with a planted bug, run twice under the tee, and the ranking that the debug JVM's agent leads to. */
@NullMarked
package dev.understudy.it.suspect;

import org.jspecify.annotations.NullMarked;
