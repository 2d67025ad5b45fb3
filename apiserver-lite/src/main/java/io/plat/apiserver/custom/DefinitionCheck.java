package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.schema.Pruning;
import io.plat.apiserver.custom.schema.StructuralCheck;
import io.plat.apiserver.custom.schema.ValidationRules;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.cel.CompileBudget;
import io.plat.review.status.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates definitions of valid shape, with Kubernetes' messages. Most of the rules are rows ({@code apiextensions.rules}). */
final class DefinitionCheck {
    /** Maximum number of versions of a definition, each of which is served, documented and validated. */
    private static final int MAX_VERSIONS = 100;

    private static final int MAX_SELECTABLE = 8;

    private DefinitionCheck() {}

    static List<Status.Cause> check(ObjectNode definition, @Nullable ObjectNode before) {
        return Causes.of(causes -> {
            Field field = Field.of(definition, before, causes);
            Rules.check("definitions", field);
            ApiApproval.check(definition, before, causes);
            Rules.check("definitions/names", field);
            versions(field.at("spec").at("versions"));
            Rules.check("definitions/update", field);
        });
    }

    private static void versions(Field versions) {
        int count = versions.value().size();
        versions.atMost(MAX_VERSIONS);
        if (count > MAX_VERSIONS) {
            return;
        }
        var budget = CompileBudget.ofObject();
        Set<String> names = new HashSet<>();
        int storing = 0;
        for (Field version : versions) {
            names.add(version.text("name"));
            storing += version.at("storage").flag() ? 1 : 0;
            JsonNode before = Json.find(versions.old(), "name", version.text("name"));
            version(version, count == 1, before.path("schema").path("openAPIV3Schema"), budget);
        }
        String badValue = "\"" + names.size() + " versions\"";
        if (names.size() < count) {
            versions.invalidLiteral(badValue, "must contain unique version names");
        }
        if (storing != 1) {
            versions.invalidLiteral(badValue, "must have exactly one version marked as storage version");
        }
    }

    /** Checks a version. kube-apiserver reports schema, subresources and columns of the only version at the definition. */
    private static void version(Field version, boolean only, JsonNode schemaBefore, CompileBudget budget) {
        Rules.check("definitions/version", version);
        Field common = only ? Field.of("spec", version.value(), version.causes()) : version;
        Field schema = version.at("schema").at("openAPIV3Schema");
        if (!schema.value().isObject()) {
            schema.required("");
        } else if (!schema.value().equals(schemaBefore)) {
            // A schema that was accepted once is not compiled again to be checked.
            FieldPath at = common.path().field(only ? "validation" : "schema").field("openAPIV3Schema");
            List<Status.Cause> wrong = Causes.of(causes -> schema(schema.value(), at, budget, causes));
            wrong.forEach(cause -> version.causes().add(cause.reason(), cause.message(), FieldPath.of(cause.field())));
        }
        scale(common.at("subresources").at("scale"));
        columns(common.at("additionalPrinterColumns"));
        selectableFields(common.at("selectableFields"), TypeSchema.of(schema.value()));
    }

    private static void schema(JsonNode source, FieldPath at, CompileBudget budget, Causes causes) {
        if (source.path("nullable").asBoolean()) {
            causes.forbidden(at.field("nullable"), "nullable cannot be true at the root");
        }
        StructuralCheck.check(source, at, causes);
        if (causes.isEmpty()) {
            TypeSchema schema = TypeSchema.of(source);
            Pruning.check(schema, at, causes);
            if (causes.isEmpty() && ValidationRules.any(schema)) {
                ValidationRules.compile(schema, at, budget, causes);
            }
        }
    }

    private static void scale(Field scale) {
        if (scale.value().isObject()) {
            Rules.check("definitions/scale", scale);
            replicasPath(scale.at("specReplicasPath"), ".spec.");
            replicasPath(scale.at("statusReplicasPath"), ".status.");
        }
    }

    private static void replicasPath(Field path, String start) {
        if (path.text().startsWith(start)
                && (!isPath(path, start) || path.text().indexOf('[') >= 0)) {
            path.invalid("must be a path of fields");
        }
    }

    private static boolean isPath(Field path, String start) {
        return path.text().startsWith(start)
                && PrinterColumns.JsonPath.parse(path.text()).isPresent();
    }

    private static void columns(Field columns) {
        columns.atMost(PrinterColumns.MAX_COLUMNS);
        if (columns.value().size() > PrinterColumns.MAX_COLUMNS) {
            return;
        }
        for (Field column : columns) {
            Rules.check("definitions/column", column);
            Field path = column.as("JSONPath", column.value().path("jsonPath"));
            if (path.require("") && !isPath(path, ".")) {
                path.invalid("must be a simple json path starting with .");
            }
        }
    }

    private static void selectableFields(Field fields, TypeSchema schema) {
        Set<String> distinct = new HashSet<>();
        for (Field field : fields) {
            Field path = field.at("jsonPath");
            if (path.require("")) {
                selectable(path, schema);
                if (!distinct.add(path.text())) {
                    path.duplicate(path.text());
                }
            }
        }
        if (distinct.size() > MAX_SELECTABLE) {
            fields.causes().tooMany(fields.path(), distinct.size(), MAX_SELECTABLE);
        }
    }

    private static void selectable(Field path, TypeSchema schema) {
        TypeSchema field = schema;
        String text = path.text();
        for (String name : (text.startsWith(".") ? text.substring(1) : text).split("\\.", -1)) {
            field = field == null ? null : field.properties().get(name);
        }
        if (text.startsWith(".metadata")) {
            path.invalid("must not point to fields in metadata");
        } else if (field == null) {
            path.invalid("is an invalid path: does not refer to a valid field");
        } else if (!List.of("string", "boolean", "integer").contains(field.type())) {
            path.invalid("must point to a field of type string, boolean or integer. Enum string fields and strings with"
                    + " formats are allowed.");
        }
    }
}
