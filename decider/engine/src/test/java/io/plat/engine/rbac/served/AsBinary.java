package io.plat.engine.rbac.served;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1Rbac;
import io.plat.engine.rbac.LabelSelector;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.nio.ByteBuffer;
import java.util.List;

/** Role objects in the binary form, written by the field's own generated classes. */
public final class AsBinary {
    private static final String VERSION = "rbac.authorization.k8s.io/v1";
    private static final byte[] PREFIX = {'k', '8', 's', 0};

    private AsBinary() {}

    /** A list. */
    public static byte[] page(RbacKind kind, String version, String next, List<? extends RbacObject> items) {
        Meta.ListMeta metadata = Meta.ListMeta.newBuilder()
                .setResourceVersion(version)
                .setContinue(next)
                .setRemainingItemCount(7)
                .setSelfLink("")
                .build();
        Message list = switch (kind) {
            case ROLE ->
                V1Rbac.RoleList.newBuilder()
                        .setMetadata(metadata)
                        .addAllItems(items.stream()
                                .map(item -> (V1Rbac.Role) message(item, "1"))
                                .toList())
                        .build();
            case CLUSTER_ROLE ->
                V1Rbac.ClusterRoleList.newBuilder()
                        .setMetadata(metadata)
                        .addAllItems(items.stream()
                                .map(item -> (V1Rbac.ClusterRole) message(item, "1"))
                                .toList())
                        .build();
            case ROLE_BINDING ->
                V1Rbac.RoleBindingList.newBuilder()
                        .setMetadata(metadata)
                        .addAllItems(items.stream()
                                .map(item -> (V1Rbac.RoleBinding) message(item, "1"))
                                .toList())
                        .build();
            case CLUSTER_ROLE_BINDING ->
                V1Rbac.ClusterRoleBindingList.newBuilder()
                        .setMetadata(metadata)
                        .addAllItems(items.stream()
                                .map(item -> (V1Rbac.ClusterRoleBinding) message(item, "1"))
                                .toList())
                        .build();
        };
        return envelope(VERSION, kind.kind() + "List", list);
    }

    /** An event behind its length. */
    public static byte[] framed(String type, String version, RbacObject object) {
        return frame(event(type, envelope(VERSION, object.key().kind().kind(), message(object, version))));
    }

    /** A bookmark behind its length. */
    public static byte[] bookmark(RbacKind kind, String version) {
        Meta.ObjectMeta metadata =
                Meta.ObjectMeta.newBuilder().setResourceVersion(version).build();
        Message message = V1Rbac.Role.newBuilder().setMetadata(metadata).build();
        return frame(event("BOOKMARK", envelope(VERSION, kind.kind(), message)));
    }

    /** An event that ends a watch, behind its length. */
    public static byte[] error(int code, String reason, String text) {
        return frame(event("ERROR", status(code, reason, text)));
    }

    static byte[] status(int code, String reason, String text) {
        return envelope(
                "v1",
                "Status",
                Meta.Status.newBuilder()
                        .setCode(code)
                        .setReason(reason)
                        .setMessage(text)
                        .setStatus("Failure")
                        .build());
    }

    static byte[] envelope(String apiVersion, String kind, Message message) {
        byte[] unknown = Runtime.Unknown.newBuilder()
                .setTypeMeta(
                        Runtime.TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind))
                .setRaw(message.toByteString())
                .setContentEncoding("")
                .setContentType("")
                .build()
                .toByteArray();
        return ByteBuffer.allocate(PREFIX.length + unknown.length)
                .put(PREFIX)
                .put(unknown)
                .array();
    }

    static byte[] event(String type, byte[] object) {
        return Meta.WatchEvent.newBuilder()
                .setType(type)
                .setObject(Runtime.RawExtension.newBuilder().setRaw(ByteString.copyFrom(object)))
                .build()
                .toByteArray();
    }

    static byte[] frame(byte[] event) {
        return ByteBuffer.allocate(Integer.BYTES + event.length)
                .putInt(event.length)
                .put(event)
                .array();
    }

    static Message message(RbacObject object, String version) {
        Meta.ObjectMeta.Builder metadata = Meta.ObjectMeta.newBuilder()
                .setName(object.key().name())
                .setNamespace(object.key().namespace())
                .setResourceVersion(version)
                .setUid("0-1-2")
                .setGeneration(3)
                .putAnnotations("a", "b");
        return switch (object) {
            case RbacRole role -> role(role, metadata.putAllLabels(role.labels()));
            case RbacBinding binding -> binding(binding, metadata);
        };
    }

    private static Message role(RbacRole role, Meta.ObjectMeta.Builder metadata) {
        List<V1Rbac.PolicyRule> rules =
                role.rules().stream().map(AsBinary::rule).toList();
        if (role.key().kind() == RbacKind.ROLE) {
            return V1Rbac.Role.newBuilder()
                    .setMetadata(metadata)
                    .addAllRules(rules)
                    .build();
        }
        V1Rbac.ClusterRole.Builder built =
                V1Rbac.ClusterRole.newBuilder().setMetadata(metadata).addAllRules(rules);
        List<LabelSelector> aggregation = role.aggregation();
        if (aggregation != null) {
            built.setAggregationRule(V1Rbac.AggregationRule.newBuilder()
                    .addAllClusterRoleSelectors(
                            aggregation.stream().map(AsBinary::selector).toList()));
        }
        return built.build();
    }

    private static V1Rbac.PolicyRule rule(RbacRule rule) {
        return V1Rbac.PolicyRule.newBuilder()
                .addAllVerbs(rule.verbs())
                .addAllApiGroups(rule.apiGroups())
                .addAllResources(rule.resources())
                .addAllResourceNames(rule.resourceNames())
                .addAllNonResourceURLs(rule.nonResourceUrls())
                .build();
    }

    private static Meta.LabelSelector selector(LabelSelector selector) {
        Meta.LabelSelector.Builder built = Meta.LabelSelector.newBuilder().putAllMatchLabels(selector.matchLabels());
        selector.matchExpressions()
                .forEach(requirement -> built.addMatchExpressions(Meta.LabelSelectorRequirement.newBuilder()
                        .setKey(requirement.key())
                        .setOperator(requirement.operator())
                        .addAllValues(requirement.values())));
        return built.build();
    }

    private static Message binding(RbacBinding binding, Meta.ObjectMeta.Builder metadata) {
        List<V1Rbac.Subject> subjects = binding.subjects().stream()
                .map(subject -> V1Rbac.Subject.newBuilder()
                        .setKind(subject.kind())
                        .setApiGroup(subject.apiGroup())
                        .setName(subject.name())
                        .setNamespace(subject.namespace())
                        .build())
                .toList();
        V1Rbac.RoleRef roleRef = V1Rbac.RoleRef.newBuilder()
                .setApiGroup(binding.roleRef().apiGroup())
                .setKind(binding.roleRef().kind())
                .setName(binding.roleRef().name())
                .build();
        return binding.key().kind() == RbacKind.ROLE_BINDING
                ? V1Rbac.RoleBinding.newBuilder()
                        .setMetadata(metadata)
                        .addAllSubjects(subjects)
                        .setRoleRef(roleRef)
                        .build()
                : V1Rbac.ClusterRoleBinding.newBuilder()
                        .setMetadata(metadata)
                        .addAllSubjects(subjects)
                        .setRoleRef(roleRef)
                        .build();
    }
}
