package io.plat.apiserver.representation.binary;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.V1;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarFile;

/** Kubernetes' descriptors: the source of the table of messages, and an independent reader of encoded messages. */
final class DescriptorTable {
    private static final String DIRECTORY = "io/kubernetes/client/proto/";

    private final Map<String, Descriptor> messages = new TreeMap<>();

    private DescriptorTable() {}

    /** Every message of the artifact on the class path. */
    static DescriptorTable ofKubernetes() {
        var table = new DescriptorTable();
        String location =
                V1.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        try (var jar = new JarFile(Path.of(location).toFile())) {
            jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(DIRECTORY) && name.endsWith(".class") && name.indexOf('$') < 0)
                    .forEach(table::add);
            LackingDescriptors.all().forEach(table::add);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return table;
    }

    private void add(String classFile) {
        String name =
                classFile.substring(0, classFile.length() - ".class".length()).replace('/', '.');
        try {
            add((FileDescriptor) Class.forName(name).getMethod("getDescriptor").invoke(null));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no descriptor in " + name, e);
        }
    }

    private void add(FileDescriptor file) {
        file.getMessageTypes().forEach(message -> messages.put(message.getFullName(), message));
    }

    /** The descriptor of a message. */
    Optional<Descriptor> find(String message) {
        return Optional.ofNullable(messages.get(message));
    }

    /** The table of some messages and of all that they refer to, as the program ships it. */
    String text(Iterable<String> roots) {
        var reached = new TreeMap<String, Descriptor>();
        var open = new ArrayDeque<String>();
        roots.forEach(open::add);
        while (!open.isEmpty()) {
            Descriptor message = messages.get(open.remove());
            if (message != null && reached.put(message.getFullName(), message) == null) {
                message.getFields().stream()
                        .map(DescriptorTable::value)
                        .filter(value -> value.getType() == FieldDescriptor.Type.MESSAGE)
                        .forEach(value -> open.add(value.getMessageType().getFullName()));
            }
        }
        var text = new StringBuilder();
        reached.forEach((name, message) -> {
            text.append(name).append('\n');
            message.getFields().stream()
                    .sorted(Comparator.comparingInt(FieldDescriptor::getNumber))
                    .forEach(field -> text.append(line(message, field)).append('\n'));
        });
        return text.toString();
    }

    private static FieldDescriptor value(FieldDescriptor field) {
        return field.isMapField() ? field.getMessageType().findFieldByNumber(2) : field;
    }

    private static String line(Descriptor message, FieldDescriptor field) {
        String shape = field.isMapField() ? "{}" : field.isRepeated() ? "[]" : "";
        return field.getNumber() + " " + field.getName() + " " + shape + type(message, value(field));
    }

    private static String type(Descriptor message, FieldDescriptor value) {
        if (value.getType() != FieldDescriptor.Type.MESSAGE) {
            return value.getType().name().toLowerCase(Locale.ROOT);
        }
        Descriptor type = value.getMessageType();
        boolean local = type.getFile().getPackage().equals(message.getFile().getPackage());
        return local ? type.getName() : type.getFullName();
    }
}
