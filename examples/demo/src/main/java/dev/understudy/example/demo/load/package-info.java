/** The clients: what they ask for, over real connections, and whether every answer was right. */
@NullMarked
package dev.understudy.example.demo.load;

import org.jspecify.annotations.NullMarked;
