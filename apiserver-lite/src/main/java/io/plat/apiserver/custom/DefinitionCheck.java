package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.schema.Pruning;
import io.plat.apiserver.custom.schema.SchemaFieldPath;
import io.plat.apiserver.custom.schema.StructuralCheck;
import io.plat.apiserver.custom.schema.ValidationRules;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.GoForm;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.apiserver.tree.Json;
import io.plat.cel.CompileBudget;
import io.plat.review.status.Status;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Validates definitions of valid shape, with Kubernetes' messages in its order. Most of the rules are rows ({@code apiextensions.rules}).
 * Parts that are the same in all versions are reported at the definition.
 */
final class DefinitionCheck {
    /** Maximum number of versions of a definition, each of which is served, documented and validated. */
    private static final int MAX_VERSIONS = 100;

    private static final int MAX_SELECTABLE = 8;
    private static final String SCHEMA = "schema";
    private static final String RULES = ".x-kubernetes-validations";
    private static final String OPEN_API = "openAPIV3Schema";
    private static final String SUBRESOURCES = "subresources";
    private static final String COLUMNS = "additionalPrinterColumns";
    private static final String SELECTABLE = "selectableFields";

    /** Keywords of the schema of whole objects if their status is a subresource, in the order of the message. */
    private static final List<String> WITH_STATUS = List.of(
            ("description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern"
                            + " maxItems minItems uniqueItems multipleOf required items properties externalDocs example"
                            + " x-kubernetes-preserve-unknown-fields x-kubernetes-validations")
                    .split(" ", -1));

    private final Field spec;
    private final Causes causes;
    private final CompileBudget budget = CompileBudget.ofObject();
    private final Set<String> shared = new HashSet<>(List.of(SCHEMA, SUBRESOURCES, COLUMNS, SELECTABLE));
    private boolean anyStatus;

    private DefinitionCheck(Field spec) {
        this.spec = spec;
        this.causes = spec.causes();
    }

    /** Keywords whose values are literals. */
    private static final Set<String> LITERALS = Set.of("default", "enum", "example");

    /** Keywords that are false if absent. */
    private static final Set<String> ZERO_FLAGS = Set.of(
            "nullable",
            "uniqueItems",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "x-kubernetes-int-or-string",
            "x-kubernetes-embedded-resource");

    static List<Status.Cause> check(ObjectNode definition, @Nullable ObjectNode before) {
        return Causes.of(causes -> {
            Field field = Field.of(definition, before, causes);
            Rules.check("definitions", field);
            Field versions = field.at("spec").at("versions");
            versions.atMost(MAX_VERSIONS);
            boolean few = versions.value().size() <= MAX_VERSIONS;
            var check = new DefinitionCheck(field.at("spec"));
            if (few) {
                check.versions(versions);
            }
            Rules.check("definitions/names", field);
            if (few && !versions.value().isEmpty()) {
                check.parts(versions.element(0), true);
            }
            check.conversion();
            Rules.check("definitions/update", field);
            storedVersions(field.at("status").at("storedVersions"), versions.value());
            ApiApproval.check(definition, before, causes);
            Rules.check("definitions/unknown", field);
        });
    }

    private void versions(Field versions) {
        JsonNode first = versions.value().path(0);
        Set<String> names = new HashSet<>();
        int storing = 0;
        for (JsonNode version : versions.value()) {
            names.add(version.path("name").asText());
            storing += version.path("storage").asBoolean() ? 1 : 0;
            anyStatus |= version.path(SUBRESOURCES).has("status");
            shared.removeIf(name -> !present(version.path(name)).equals(present(first.path(name))));
        }
        if (spec.at("preserveUnknownFields").flag() && versions.value().findValue("default") != null) {
            spec.at("preserveUnknownFields")
                    .invalidLiteral("true", "must be false in order to use defaults in the schema");
        }
        for (Field version : versions) {
            Rules.check("definitions/version", version);
            if (version.at("deprecated").flag()) {
                printable(version.at("deprecationWarning"));
            }
            parts(version, false);
        }
        ArrayNode shown = Json.MAPPER.createArrayNode();
        versions.value()
                .forEach(version -> shown.add(GoForm.of(
                        "CustomResourceDefinitionVersion", ((ObjectNode) version.deepCopy()).without(shared))));
        Field all = versions.with(versions.isMissing() ? MissingNode.getInstance() : shown);
        if (names.size() < versions.value().size()) {
            all.invalidValue("must contain unique version names");
        }
        if (storing != 1) {
            all.invalidValue("must have exactly one version marked as storage version");
        }
    }

    /** Returns a value without the members that Go does not tell from absent ones. */
    private static JsonNode present(JsonNode value) {
        if (value.isArray()) {
            ArrayNode elements = Json.MAPPER.createArrayNode();
            value.forEach(element -> elements.add(present(element)));
            return elements.isEmpty() ? MissingNode.getInstance() : elements;
        }
        ObjectNode members = Json.object();
        value.properties().forEach(member -> {
            JsonNode present = LITERALS.contains(member.getKey()) ? member.getValue() : present(member.getValue());
            boolean zero = present.isMissingNode()
                    || present.isNull()
                    || (present.isTextual() && present.textValue().isEmpty());
            if (!zero && !(ZERO_FLAGS.contains(member.getKey()) && !present.asBoolean(true))) {
                members.set(member.getKey(), present);
            }
        });
        return value.isObject() ? members : value;
    }

    private static void printable(Field warning) {
        String text = warning.text();
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                int index = text.substring(0, i).getBytes(StandardCharsets.UTF_8).length;
                warning.invalid("must only contain printable UTF-8 characters; non-printable character found at index "
                        + index);
                return;
            }
        }
    }

    /** Checks the parts of a version that are reported at it, or those that are reported at the definition. */
    private void parts(Field version, boolean common) {
        Field holder = common ? spec.with(version.value()) : version;
        Field schema = version.at(SCHEMA).at(OPEN_API);
        if (shared.contains(SCHEMA) == common) {
            boolean hasStatus = common ? anyStatus : version.at(SUBRESOURCES).has("status");
            JsonNode before = Json.find(spec.at("versions").old(), "name", version.text("name"));
            schema(
                    holder.as(common ? "validation" : SCHEMA, version.value().path(SCHEMA))
                            .at(OPEN_API),
                    before.path(SCHEMA).path(OPEN_API),
                    hasStatus);
        }
        if (shared.contains(SUBRESOURCES) == common) {
            scale(holder.at(SUBRESOURCES).at("scale"));
        }
        if (shared.contains(COLUMNS) == common) {
            columns(holder.at(COLUMNS));
        }
        Field selectable = holder.at(SELECTABLE);
        if (shared.contains(SELECTABLE) == common && !selectable.isEmpty()) {
            if (shared.contains(SCHEMA) != common || schema.isMissing()) {
                selectable.invalid(
                        "",
                        common
                                ? "may only be set when validations.schema is included"
                                : "may only be set when `version.schema.openAPIV3Schema` is not included");
            } else if (StructuralCheck.hasStructure(schema.value())) {
                selectableFields(selectable, schema.value());
            }
        }
    }

    /** Checks a schema. One that was accepted once is not compiled again to be checked. */
    private void schema(Field schema, JsonNode before, boolean hasStatus) {
        JsonNode source = schema.value();
        if (hasStatus) {
            int found = causes.found();
            Rules.check("schema/status", schema);
            if (causes.found() == found && !WITH_STATUS.containsAll(keywords(source))) {
                String detail = "only ["
                        + String.join(
                                " ",
                                WITH_STATUS.stream()
                                        .map(DefinitionCheck::goName)
                                        .toList())
                        + "] fields are allowed at the root of the schema if the status subresource is enabled";
                schema.with(GoForm.of("JSONSchemaProps", source)).invalidValue(detail);
            }
        }
        if (!source.isObject() || source.equals(before)) {
            return;
        }
        if (source.path("nullable").asBoolean()) {
            schema.at("nullable").forbidden("nullable cannot be true at the root");
        }
        FieldPath at = schema.path();
        boolean hasStructure = StructuralCheck.hasStructure(source);
        TypeSchema type = TypeSchema.of(source);
        int found = causes.found();
        Causes ofRules = new Causes();
        if (hasStructure) {
            StructuralCheck.structure(source, at, causes);
            if (causes.found() == found) {
                ValidationRules rules = ValidationRules.any(type)
                        ? ValidationRules.compile(type, at, budget, ofRules)
                        : ValidationRules.NONE;
                Pruning.check(type, at, rules, causes);
            }
        }
        boolean compiles = hasStructure && causes.found() == found;
        List<Status.Cause> wrong = Causes.of(keywords -> new StructuralCheck(keywords).keywords(source, at));
        wrong.forEach(cause -> causes.add(cause.reason(), cause.message(), cause.field()));
        if (compiles) {
            // The rules of a schema are reported if there is no other error in it.
            ofRules.list().stream()
                    .filter(cause -> !cause.field().contains(RULES)
                            || wrong.stream().noneMatch(other -> other.field().startsWith(ruled(cause.field()))))
                    .forEach(cause -> causes.add(cause.reason(), cause.message(), cause.field()));
        } else if (!hasStructure && causes.found() == found) {
            schema.invalid("", "OpenAPIV3Schema 'schema' is not supported");
        }
    }

    private static String ruled(String rule) {
        return rule.substring(0, rule.lastIndexOf(RULES));
    }

    private static Set<String> keywords(JsonNode schema) {
        return schema.properties().stream()
                .filter(keyword -> keyword.getValue().isArray() || !StructuralCheck.isZero(keyword.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static String goName(String keyword) {
        return Arrays.stream(keyword.replace("kubernetes-", "").split("-", -1))
                .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                .collect(Collectors.joining());
    }

    private void conversion() {
        JsonNode conversion = spec.value().path("conversion");
        JsonNode webhook = conversion.path("webhook");
        if (conversion.isObject()) {
            ObjectNode form = Json.object();
            form.set("strategy", conversion.path("strategy"));
            form.set("preserveUnknownFields", spec.value().path("preserveUnknownFields"));
            webhook.properties()
                    .forEach(member -> form.set(
                            member.getKey().equals("clientConfig") ? "webhookClientConfig" : member.getKey(),
                            member.getValue()));
            Rules.check("definitions/conversion", spec.as("conversion", form));
        }
    }

    /** Checks the stored versions: there may be objects in each of them. */
    private static void storedVersions(Field stored, JsonNode versions) {
        List<String> names = stored.texts();
        for (JsonNode version : versions) {
            String name = version.path("name").asText();
            if (version.path("storage").asBoolean() && !names.contains(name) && !names.isEmpty()) {
                stored.invalidValue("must have the storage version " + name);
            }
        }
        for (Field one : stored) {
            if (!Json.find(versions, "name", one.text()).isObject()) {
                one.invalid("missing from spec.versions; " + one.text()
                        + " was previously a storage version, and must remain"
                        + " in spec.versions until a storage migration ensures no data remains persisted in "
                        + one.text() + " and removes " + one.text() + " from status.storedVersions");
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

    private static void selectableFields(Field fields, JsonNode schema) {
        Set<String> distinct = new HashSet<>();
        for (Field field : fields) {
            Field path = field.at("jsonPath");
            if (path.require("")) {
                SchemaFieldPath found = SchemaFieldPath.of(path.text(), schema, false);
                if (!found.problem().isEmpty()) {
                    path.invalid("is an invalid path: " + found.problem());
                    continue;
                }
                if (found.path().toString().startsWith("metadata")) {
                    path.invalid("must not point to fields in metadata");
                }
                if (!List.of("string", "boolean", "integer")
                        .contains(found.schema().path("type").asText())) {
                    path.invalid("must point to a field of type string, boolean or integer. Enum string fields and"
                            + " strings with formats are allowed.");
                }
                if (!distinct.add(found.path().toString())) {
                    path.duplicate(path.text());
                }
            }
        }
        if (distinct.size() > MAX_SELECTABLE) {
            fields.causes().tooMany(fields.path(), distinct.size(), MAX_SELECTABLE);
        }
    }
}
