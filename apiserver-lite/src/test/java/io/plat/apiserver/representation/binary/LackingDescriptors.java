package io.plat.apiserver.representation.binary;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import java.util.List;
import java.util.Locale;

/** Descriptors that are missing in the artifact, with the numbers of Kubernetes' own files. */
final class LackingDescriptors {
    private static final FileDescriptor META = Meta.getDescriptor();
    private static final String VERSION1 = "k8s.io.apimachinery.pkg.apis.meta.v1";

    private LackingDescriptors() {}

    static List<FileDescriptor> all() {
        return List.of(
                // The numbers of this one are reversed.
                file(
                        VERSION1 + "beta1",
                        message(
                                "PartialObjectMetadataList",
                                "1 items []" + VERSION1 + ".PartialObjectMetadata",
                                "2 metadata " + VERSION1 + ".ListMeta")),
                apiServices());
    }

    private static FileDescriptor apiServices() {
        String own = "k8s.io.kube_aggregator.pkg.apis.apiregistration.v1";
        return file(
                own,
                message(
                        "APIService",
                        "1 metadata " + VERSION1 + ".ObjectMeta",
                        "2 spec " + own + ".APIServiceSpec",
                        "3 status " + own + ".APIServiceStatus"),
                message(
                        "APIServiceCondition",
                        "1 type string",
                        "2 status string",
                        "3 lastTransitionTime " + VERSION1 + ".Time",
                        "4 reason string",
                        "5 message string"),
                message("APIServiceList", "1 metadata " + VERSION1 + ".ListMeta", "2 items []" + own + ".APIService"),
                message(
                        "APIServiceSpec",
                        "1 service " + own + ".ServiceReference",
                        "2 group string",
                        "3 version string",
                        "4 insecureSkipTLSVerify bool",
                        "5 caBundle bytes",
                        "7 groupPriorityMinimum int32",
                        "8 versionPriority int32"),
                message("APIServiceStatus", "1 conditions []" + own + ".APIServiceCondition"),
                message("ServiceReference", "1 namespace string", "2 name string", "3 port int32"));
    }

    private static FileDescriptor file(String name, DescriptorProto... messages) {
        var file = FileDescriptorProto.newBuilder()
                .setName(name + ".proto")
                .setPackage(name)
                .addDependency(META.getName())
                .addAllMessageType(List.of(messages))
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[] {META});
        } catch (DescriptorValidationException e) {
            throw new AssertionError(e);
        }
    }

    /** A field is its number, its name and its type, as in the table of messages. */
    private static DescriptorProto message(String name, String... fields) {
        var message = DescriptorProto.newBuilder().setName(name);
        for (String field : fields) {
            String[] words = field.split(" ", -1);
            boolean many = words[2].startsWith("[]");
            String type = many ? words[2].substring(2) : words[2];
            var descriptor = FieldDescriptorProto.newBuilder()
                    .setNumber(Integer.parseInt(words[0]))
                    .setName(words[1])
                    .setLabel(
                            many
                                    ? FieldDescriptorProto.Label.LABEL_REPEATED
                                    : FieldDescriptorProto.Label.LABEL_OPTIONAL);
            message.addField(
                    type.indexOf('.') < 0
                            ? descriptor.setType(
                                    FieldDescriptorProto.Type.valueOf("TYPE_" + type.toUpperCase(Locale.ROOT)))
                            : descriptor
                                    .setType(FieldDescriptorProto.Type.TYPE_MESSAGE)
                                    .setTypeName("." + type));
        }
        return message.build();
    }
}
