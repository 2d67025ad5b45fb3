package io.plat.cli.convert;

import static io.plat.cli.output.JsonAnswer.object;
import static io.plat.cli.output.JsonAnswer.unlessEmpty;

import io.plat.cli.output.JsonAnswer;
import io.plat.cli.output.JsonDocument;
import io.plat.cli.output.OutputFormat;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.review.ApiGroups;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Role objects as manifests, in the order in which they are written. */
public final class Manifests {
    private Manifests() {}

    /** Returns the objects as a file, with line ends. */
    public static String text(List<RbacObject> objects) {
        List<String> documents = new ArrayList<>();
        for (RbacObject object : objects) {
            try {
                documents.add(JsonDocument.print(JsonAnswer.of(manifest(object)), OutputFormat.YAML));
            } catch (IOException e) {
                throw new UncheckedIOException("reading what was just written", e);
            }
        }
        return String.join("---\n", documents);
    }

    /** Returns the objects as one JSON document. */
    public static Object document(List<RbacObject> objects) {
        List<Object> items = objects.stream().map(Manifests::manifest).toList();
        return object("apiVersion", "v1", "kind", "List", "items", items);
    }

    private static Object manifest(RbacObject object) {
        ObjectKey key = object.key();
        Map<String, Object> manifest = object(
                "apiVersion", ApiGroups.RBAC + "/v1",
                "kind", key.kind().kind(),
                "metadata", object("name", key.name(), "namespace", unlessBlank(key.namespace())));
        switch (object) {
            case RbacRole role ->
                manifest.put("rules", role.rules().stream().map(Manifests::rule).toList());
            case RbacBinding binding -> {
                manifest.put(
                        "subjects",
                        binding.subjects().stream().map(Manifests::subject).toList());
                manifest.put(
                        "roleRef",
                        object(
                                "apiGroup", ApiGroups.RBAC,
                                "kind", binding.roleRef().kind(),
                                "name", binding.roleRef().name()));
            }
        }
        return manifest;
    }

    /** Returns a rule as in a manifest. */
    public static Object rule(RbacRule rule) {
        return object(
                "apiGroups", unlessEmpty(rule.apiGroups()),
                "resources", unlessEmpty(rule.resources()),
                "resourceNames", unlessEmpty(rule.resourceNames()),
                "nonResourceURLs", unlessEmpty(rule.nonResourceUrls()),
                "verbs", unlessEmpty(rule.verbs()));
    }

    /** Returns a subject as in a manifest. */
    public static Object subject(RbacSubject subject) {
        boolean account = subject.kind().equals(RbacSubject.SERVICE_ACCOUNT);
        return object(
                "kind", subject.kind(),
                "apiGroup", account ? null : ApiGroups.RBAC,
                "name", subject.name(),
                "namespace", unlessBlank(subject.namespace()));
    }

    private static @Nullable String unlessBlank(String text) {
        return text.isEmpty() ? null : text;
    }
}
