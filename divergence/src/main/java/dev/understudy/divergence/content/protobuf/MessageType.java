package dev.understudy.divergence.content.protobuf;

import java.util.Map;

/**
 * A message as its descriptor declares it.
 *
 * @param fields by number
 * @param entry whether it is one entry of a map, with a key in field 1 and a value in field 2
 */
record MessageType(Map<Integer, FieldType> fields, boolean entry) {
    MessageType {
        fields = Map.copyOf(fields);
    }
}
