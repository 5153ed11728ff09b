/**
 * Tests of how exchanges are read from recordings and journals.
 */
package dev.understudy.observatory.event;
