package io.plat.apiserver.representation.binary;

import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Fields of a message that its descriptor does not declare. */
final class UnknownFields {
    private UnknownFields() {}

    /** Returns the numbers of unknown fields, each with its message. */
    static List<String> in(Message message) {
        var unknown = new ArrayList<String>();
        collect(message, unknown);
        return unknown;
    }

    private static void collect(Message message, List<String> unknown) {
        message.getUnknownFields()
                .asMap()
                .keySet()
                .forEach(number -> unknown.add(message.getDescriptorForType().getName() + " " + number));
        message.getAllFields().values().forEach(value -> {
            if (value instanceof Message nested) {
                collect(nested, unknown);
            } else if (value instanceof Collection<?> many) {
                many.forEach(each -> {
                    if (each instanceof Message nested) {
                        collect(nested, unknown);
                    }
                });
            }
        });
    }
}
