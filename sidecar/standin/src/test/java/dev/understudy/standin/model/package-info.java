/** Models for tests. */
package dev.understudy.standin.model;
