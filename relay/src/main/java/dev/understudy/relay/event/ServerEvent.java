package dev.understudy.relay.event;

import java.util.Map;

/**
 * Something that happened once.
 *
 * @param number counted from 1 within the process
 * @param name what kind of thing, in one word
 * @param said what is to be told of it, as JSON would have it; the publisher keeps it small
 */
record ServerEvent(long number, String name, Map<String, Object> said) {}
