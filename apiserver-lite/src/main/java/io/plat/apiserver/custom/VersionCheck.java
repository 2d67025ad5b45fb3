package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.schema.Pruning;
import io.plat.apiserver.custom.schema.StructuralCheck;
import io.plat.apiserver.custom.schema.ValidationRules;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.CompileBudget;
import io.plat.review.status.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validates one version of a definition.
 *
 * @param common path of schema, subresources and columns: kube-apiserver reports those of the only version at the definition
 */
record VersionCheck(JsonNode version, FieldPath at, FieldPath common, Causes causes) {
    private static final List<String> TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> FORMATS =
            List.of("binary", "byte", "date", "date-time", "double", "float", "int32", "int64", "password");
    private static final int MAX_SELECTABLE = 8;
    private static final int MAX_WARNING_LENGTH = 256;

    /**
     * Checks a version.
     *
     * @param only whether the definition has no other
     * @param before the schema it had; what was accepted once is not compiled again to be looked at
     * @param budget bounds how much is compiled for the definition
     */
    static void check(
            JsonNode version, FieldPath at, boolean only, JsonNode before, CompileBudget budget, Causes causes) {
        var check = new VersionCheck(version, at, only ? FieldPath.of("spec") : at, causes);
        check.deprecation();
        check.schema(before, budget);
        check.scale();
        check.columns();
        check.selectableFields();
    }

    private void deprecation() {
        String warning = version.path("deprecationWarning").asText("");
        if (version.has("deprecationWarning")) {
            String problem = "";
            if (!version.path("deprecated").asBoolean()) {
                problem = "can only be set for deprecated versions";
            } else if (warning.isEmpty()) {
                problem = "must not be an empty string";
            } else if (warning.length() > MAX_WARNING_LENGTH) {
                problem = "must be <= 256 characters long";
            } else if (warning.chars().anyMatch(Character::isISOControl)) {
                problem = "must only contain printable UTF-8 characters";
            }
            invalid(!problem.isEmpty(), at.field("deprecationWarning"), warning, problem);
        }
    }

    private void invalid(boolean wrong, FieldPath where, String value, String detail) {
        if (wrong) {
            causes.invalid(where, FieldErrorMessages.quoted(value), detail);
        }
    }

    private void schema(JsonNode before, CompileBudget budget) {
        JsonNode source = version.path("schema").path("openAPIV3Schema");
        FieldPath where = common.field(common == at ? "schema" : "validation").field("openAPIV3Schema");
        if (!source.isObject()) {
            causes.required(at.field("schema").field("openAPIV3Schema"), "schemas are required");
            return;
        }
        if (source.equals(before.path("openAPIV3Schema"))) {
            return;
        }
        List<Status.Cause> wrong = Causes.of(problems -> schema(source, where, budget, problems));
        wrong.forEach(cause -> causes.add(cause.reason(), cause.message(), FieldPath.of(cause.field())));
    }

    private static void schema(JsonNode source, FieldPath where, CompileBudget budget, Causes problems) {
        if (source.path("nullable").asBoolean()) {
            problems.forbidden(where.field("nullable"), "nullable cannot be true at the root");
        }
        StructuralCheck.check(source, where, problems);
        if (problems.isEmpty()) {
            TypeSchema schema = TypeSchema.of(source);
            Pruning.check(schema, where, problems);
            if (problems.isEmpty() && ValidationRules.any(schema)) {
                ValidationRules.compile(schema, where, budget, problems);
            }
        }
    }

    private void scale() {
        JsonNode scale = version.path("subresources").path("scale");
        FieldPath where = common.field("subresources").field("scale");
        if (scale instanceof ObjectNode) {
            path(where, scale, "specReplicasPath", ".spec.");
            path(where, scale, "statusReplicasPath", ".status.");
            String selector = scale.path("labelSelectorPath").asText("");
            boolean known = selector.isEmpty() || selector.startsWith(".spec.") || selector.startsWith(".status.");
            String detail = "should be a json path under either .spec or .status";
            invalid(!known, where.field("labelSelectorPath"), selector, detail);
        }
    }

    private void path(FieldPath where, JsonNode scale, String field, String below) {
        String path = scale.path(field).asText("");
        if (path.isEmpty()) {
            causes.required(where.field(field), "");
        } else {
            boolean plain = path.startsWith(below)
                    && PrinterColumns.JsonPath.parse(path).isPresent()
                    && path.indexOf('[') < 0;
            String root = below.substring(0, below.length() - 1);
            invalid(!plain, where.field(field), path, "should be a json path under " + root);
        }
    }

    private void columns() {
        JsonNode columns = version.path("additionalPrinterColumns");
        if (columns.size() > PrinterColumns.MAX_COLUMNS) {
            causes.tooMany(common.field("additionalPrinterColumns"), columns.size(), PrinterColumns.MAX_COLUMNS);
            return;
        }
        for (int i = 0; i < columns.size(); i++) {
            JsonNode column = columns.path(i);
            FieldPath where = common.field("additionalPrinterColumns").at(i);
            String type = column.path("type").asText("");
            String format = column.path("format").asText("");
            String path = column.path("jsonPath").asText("");
            String oneOf = "must be one of " + String.join(",", TYPES);
            if (column.path("name").asText("").isEmpty()) {
                causes.required(where.field("name"), "");
            }
            if (type.isEmpty()) {
                causes.required(where.field("type"), oneOf);
            } else {
                invalid(!TYPES.contains(type), where.field("type"), type, oneOf);
            }
            boolean known = format.isEmpty() || FORMATS.contains(format);
            invalid(!known, where.field("format"), format, "must be one of " + String.join(",", FORMATS));
            if (path.isEmpty()) {
                causes.required(where.field("JSONPath"), "");
            } else {
                boolean plain = path.startsWith(".")
                        && PrinterColumns.JsonPath.parse(path).isPresent();
                invalid(!plain, where.field("JSONPath"), path, "must be a simple json path starting with .");
            }
        }
    }

    private void selectableFields() {
        JsonNode fields = version.path("selectableFields");
        TypeSchema schema = TypeSchema.of(version.path("schema").path("openAPIV3Schema"));
        Set<String> distinct = new HashSet<>();
        for (int i = 0; i < fields.size(); i++) {
            FieldPath where = common.field("selectableFields").at(i).field("jsonPath");
            String path = fields.path(i).path("jsonPath").asText("");
            if (path.isEmpty()) {
                causes.required(where, "");
            } else {
                selectable(schema, path, where);
                if (!distinct.add(path)) {
                    causes.duplicate(where, FieldErrorMessages.quoted(path));
                }
            }
        }
        if (distinct.size() > MAX_SELECTABLE) {
            causes.tooMany(common.field("selectableFields"), distinct.size(), MAX_SELECTABLE);
        }
    }

    private void selectable(TypeSchema schema, String path, FieldPath where) {
        TypeSchema field = schema;
        for (String name : (path.startsWith(".") ? path.substring(1) : path).split("\\.", -1)) {
            field = field == null ? null : field.properties().get(name);
        }
        String detail = "";
        if (path.startsWith(".metadata")) {
            detail = "must not point to fields in metadata";
        } else if (field == null) {
            detail = "is an invalid path: does not refer to a valid field";
        } else if (!List.of("string", "boolean", "integer").contains(field.type())) {
            detail = "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                    + " formats are allowed.";
        }
        invalid(!detail.isEmpty(), where, path, detail);
    }
}
