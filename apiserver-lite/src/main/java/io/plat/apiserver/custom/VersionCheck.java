package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.cel.Rules;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.custom.schema.SchemaNode;
import io.plat.apiserver.custom.schema.StandardsCheck;
import io.plat.apiserver.custom.schema.StructuralCheck;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import io.plat.review.status.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Says what is wrong with one version of a definition. */
final class VersionCheck {
    private static final List<String> TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> FORMATS =
            List.of("binary", "byte", "date", "date-time", "double", "float", "int32", "int64", "password");
    private static final int MOST_SELECTABLE = 8;
    private static final int LONGEST_WARNING = 256;

    private final JsonNode version;
    private final FieldPath at;
    private final Findings findings;

    private VersionCheck(JsonNode version, FieldPath at, Findings findings) {
        this.version = version;
        this.at = at;
        this.findings = findings;
    }

    /**
     * Checks a version.
     *
     * @param before the schema it had; what was accepted once is not compiled again to be looked at
     */
    static void check(JsonNode version, FieldPath at, JsonNode before, Findings findings) {
        var check = new VersionCheck(version, at, findings);
        check.deprecation();
        check.schema(before);
        check.scale();
        check.columns();
        check.selectableFields();
    }

    private void deprecation() {
        if (!version.has("deprecationWarning")) {
            return;
        }
        String warning = version.path("deprecationWarning").asText("");
        String problem = !version.path("deprecated").asBoolean()
                ? "can only be set for deprecated versions"
                : warning.isEmpty()
                        ? "must not be an empty string"
                        : warning.length() > LONGEST_WARNING
                                ? "must be <= 256 characters long"
                                : warning.chars().anyMatch(Character::isISOControl)
                                        ? "must only contain printable UTF-8 characters"
                                        : "";
        if (!problem.isEmpty()) {
            findings.invalid(at.field("deprecationWarning"), FieldWords.quoted(warning), problem);
        }
    }

    private void schema(JsonNode before) {
        JsonNode source = version.path("schema").path("openAPIV3Schema");
        FieldPath where = at.field("schema").field("openAPIV3Schema");
        if (!source.isObject()) {
            findings.required(where, "schemas are required");
            return;
        }
        if (source.equals(before.path("openAPIV3Schema"))) {
            return;
        }
        List<Status.Cause> wrong = Findings.of(problems -> schema(source, where, problems));
        wrong.forEach(cause -> findings.add(cause.reason(), cause.message(), FieldPath.of(cause.field())));
    }

    private static void schema(JsonNode source, FieldPath where, Findings problems) {
        if (source.path("nullable").asBoolean()) {
            problems.forbidden(where.field("nullable"), "nullable cannot be true at the root");
        }
        StructuralCheck.check(source, where, problems);
        if (problems.isEmpty()) {
            SchemaNode schema = SchemaNode.of(source);
            StandardsCheck.check(schema, where, problems);
            if (problems.isEmpty() && Rules.any(schema)) {
                Rules.compile(schema, where, problems);
            }
        }
    }

    private void scale() {
        JsonNode scale = version.path("subresources").path("scale");
        if (!(scale instanceof ObjectNode)) {
            return;
        }
        FieldPath where = at.field("subresources").field("scale");
        path(scale, "specReplicasPath", ".spec.", where, true);
        path(scale, "statusReplicasPath", ".status.", where, true);
        String selector = scale.path("labelSelectorPath").asText("");
        if (!selector.isEmpty() && !selector.startsWith(".spec.") && !selector.startsWith(".status.")) {
            findings.invalid(
                    where.field("labelSelectorPath"),
                    FieldWords.quoted(selector),
                    "should be a json path under either .spec or .status");
        }
    }

    private void path(JsonNode scale, String field, String below, FieldPath where, boolean required) {
        String path = scale.path(field).asText("");
        if (path.isEmpty()) {
            if (required) {
                findings.required(where.field(field), "");
            }
        } else if (!path.startsWith(below) || JsonPath.parse(path).isEmpty() || path.indexOf('[') >= 0) {
            String root = below.substring(0, below.length() - 1);
            findings.invalid(where.field(field), FieldWords.quoted(path), "should be a json path under " + root);
        }
    }

    private void columns() {
        JsonNode columns = version.path("additionalPrinterColumns");
        for (int i = 0; i < columns.size(); i++) {
            JsonNode column = columns.path(i);
            FieldPath where = at.field("additionalPrinterColumns").at(i);
            if (column.path("name").asText("").isEmpty()) {
                findings.required(where.field("name"), "");
            }
            String type = column.path("type").asText("");
            String oneOf = "must be one of " + String.join(",", TYPES);
            if (type.isEmpty()) {
                findings.required(where.field("type"), oneOf);
            } else if (!TYPES.contains(type)) {
                findings.invalid(where.field("type"), FieldWords.quoted(type), oneOf);
            }
            String format = column.path("format").asText("");
            if (!format.isEmpty() && !FORMATS.contains(format)) {
                findings.invalid(
                        where.field("format"),
                        FieldWords.quoted(format),
                        "must be one of " + String.join(",", FORMATS));
            }
            String path = column.path("jsonPath").asText("");
            if (path.isEmpty()) {
                findings.required(where.field("jsonPath"), "");
            } else if (!path.startsWith(".") || JsonPath.parse(path).isEmpty()) {
                findings.invalid(
                        where.field("jsonPath"), FieldWords.quoted(path), "must be a simple json path starting with .");
            }
        }
    }

    private void selectableFields() {
        JsonNode fields = version.path("selectableFields");
        SchemaNode schema = SchemaNode.of(version.path("schema").path("openAPIV3Schema"));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            FieldPath where = at.field("selectableFields").at(i).field("jsonPath");
            String path = fields.path(i).path("jsonPath").asText("");
            if (path.isEmpty()) {
                findings.required(where, "");
            } else {
                selectable(schema, path, where);
                if (!seen.add(path)) {
                    findings.duplicate(where, FieldWords.quoted(path));
                }
            }
        }
        if (seen.size() > MOST_SELECTABLE) {
            findings.tooMany(at.field("selectableFields"), seen.size(), MOST_SELECTABLE);
        }
    }

    private void selectable(SchemaNode schema, String path, FieldPath where) {
        SchemaNode found = schema;
        for (String name : (path.startsWith(".") ? path.substring(1) : path).split("\\.", -1)) {
            found = found == null ? null : found.properties().get(name);
        }
        if (path.startsWith(".metadata")) {
            findings.invalid(where, FieldWords.quoted(path), "must not point to fields in metadata");
        } else if (found == null) {
            findings.invalid(where, FieldWords.quoted(path), "is an invalid path: does not refer to a valid field");
        } else if (!List.of("string", "boolean", "integer").contains(found.type())) {
            findings.invalid(
                    where,
                    FieldWords.quoted(path),
                    "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                            + " formats are allowed.");
        }
    }
}
