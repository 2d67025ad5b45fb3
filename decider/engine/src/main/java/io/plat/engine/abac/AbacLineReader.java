package io.plat.engine.abac;

import io.plat.engine.lookup.Interner;
import io.plat.review.UserInfo;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode;
import java.util.List;
import java.util.Set;

/**
 * Parser of one line: the versioned form, or the unversioned one, in which an unset property matches everything (specification, "ABAC policy
 * object" and "ABAC mode", 4).
 */
record AbacLineReader(Location where, String text, Interner interned, List<Problem> problems) {
    private static final String KIND = "Policy";
    private static final String VERSION = "abac.authorization.platform.io/v1beta1";
    private static final Set<String> VERSIONS = Set.of(VERSION, "abac.authorization.kubernetes.io/v1beta1");

    /** Parses a line. The result is only valid if no problem was added. */
    AbacLine read(SourceNode node) {
        SourceFields fields = SourceFields.of(node, "", problems);
        if (node instanceof SourceNode.Mapping mapping && mapping.entries().isEmpty()) {
            problems.add(new Problem(where, "empty object, expected a policy"));
        }
        boolean versioned = fields.has("apiVersion") || fields.has("kind");
        if (!versioned && fields.has("spec")) {
            problems.add(new Problem(where, "spec without apiVersion and kind, expected " + expectedHeader()));
            return versioned(fields);
        }
        return versioned ? versionedWithHeader(fields) : unversioned(fields);
    }

    private AbacLine versionedWithHeader(SourceFields fields) {
        String apiVersion = fields.requiredString("apiVersion");
        if (!apiVersion.isEmpty() && !VERSIONS.contains(apiVersion)) {
            fields.problem("apiVersion", "unknown version " + Quoted.of(apiVersion) + ", expected \"" + VERSION + "\"");
        }
        String kind = fields.requiredString("kind");
        if (!kind.isEmpty() && !kind.equals(KIND)) {
            fields.problem("kind", "unknown kind " + Quoted.of(kind) + ", expected \"" + KIND + "\"");
        }
        return versioned(fields);
    }

    private AbacLine versioned(SourceFields fields) {
        SourceFields spec = fields.requiredMapping("spec");
        fields.rejectUnknown();
        AbacLine line = new AbacLine(
                where,
                text,
                interned.string(spec.string("user")),
                interned.string(spec.string("group")),
                spec.bool("readonly"),
                interned.string(spec.string("apiGroup")),
                interned.string(spec.string("namespace")),
                interned.string(spec.string("resource")),
                interned.string(spec.string("nonResourcePath")));
        spec.rejectUnknown();
        return line;
    }

    /** Reads the unversioned form. As an unset property covers more, a null left by mistake would remove a restriction. */
    private AbacLine unversioned(SourceFields fields) {
        for (String limit : List.of("user", "group", "namespace", "resource", "readonly")) {
            fields.refuseNull(limit, "null would lift the limit, leave the property out if that is meant");
        }
        String user = interned.string(fields.string("user"));
        String group = interned.string(fields.string("group"));
        String namespace = interned.string(fields.string("namespace"));
        String resource = interned.string(fields.string("resource"));
        AbacLine line = new AbacLine(
                where,
                text,
                user,
                user.isEmpty() && group.isEmpty() ? UserInfo.AUTHENTICATED : group,
                fields.bool("readonly"),
                AbacLine.ANY,
                namespace.isEmpty() ? AbacLine.ANY : namespace,
                resource.isEmpty() ? AbacLine.ANY : resource,
                namespace.isEmpty() && resource.isEmpty() ? AbacLine.ANY : "");
        fields.rejectUnknown();
        return line;
    }

    private static String expectedHeader() {
        return "apiVersion \"" + VERSION + "\" and kind \"" + KIND + "\"";
    }
}
