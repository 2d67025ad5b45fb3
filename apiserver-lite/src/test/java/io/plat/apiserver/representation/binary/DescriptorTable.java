package io.plat.apiserver.representation.binary;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
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

/** The field's own descriptors: what the table of messages is derived from, and an independent reader of what is written. */
final class DescriptorTable {
    private static final String FOLDER = "io/kubernetes/client/proto/";

    private final Map<String, Descriptor> messages = new TreeMap<>();

    private DescriptorTable() {}

    /** Every message of the artifact on the class path. */
    static DescriptorTable ofTheField() {
        var table = new DescriptorTable();
        String location =
                V1.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        try (var jar = new JarFile(Path.of(location).toFile())) {
            jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(FOLDER) && name.endsWith(".class") && name.indexOf('$') < 0)
                    .forEach(table::add);
            table.add(earlierListOfMetadata());
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

    /** What the artifact lacks: {@code meta/v1beta1/generated.proto} of the field, with its numbers the other way round. */
    private static FileDescriptor earlierListOfMetadata() {
        String version1 = "k8s.io.apimachinery.pkg.apis.meta.v1";
        FileDescriptor meta = Meta.getDescriptor();
        var list = DescriptorProto.newBuilder()
                .setName("PartialObjectMetadataList")
                .addField(FieldDescriptorProto.newBuilder()
                        .setName("items")
                        .setNumber(1)
                        .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED)
                        .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                        .setTypeName("." + version1 + ".PartialObjectMetadata"))
                .addField(FieldDescriptorProto.newBuilder()
                        .setName("metadata")
                        .setNumber(2)
                        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                        .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                        .setTypeName("." + version1 + ".ListMeta"));
        var file = FileDescriptorProto.newBuilder()
                .setName("meta/v1beta1/generated.proto")
                .setPackage(version1 + "beta1")
                .addDependency(meta.getName())
                .addMessageType(list)
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[] {meta});
        } catch (DescriptorValidationException e) {
            throw new AssertionError(e);
        }
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
