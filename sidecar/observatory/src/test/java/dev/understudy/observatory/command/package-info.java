/**
 * Tests of the observatory's commands.
 */
package dev.understudy.observatory.command;
