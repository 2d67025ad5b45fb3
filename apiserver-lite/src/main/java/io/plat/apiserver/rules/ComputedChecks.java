package io.plat.apiserver.rules;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.ClientJson;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.cel.ExpressionIdentifiers;
import io.plat.cel.text.Quantity;
import io.plat.review.NameRule;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Checks that require computation, each for one place in the rules. */
final class ComputedChecks {
    /** Zones in Go's database that the JDK lacks under these names. */
    private static final Set<String> ADDITIONAL_ZONES = Set.of("EST", "Factory", "HST", "MST", "ROC");

    private static final int MAX_DATA = 1024 * 1024;
    private static final String UNEXPECTED_END = "unexpected end of JSON input";
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactories.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(128).build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ComputedChecks() {}

    static Check of(String name, Template message) {
        return switch (name) {
            case "int32" -> Checks.reports(field -> !isInt(field.text()), Field::invalid, message);
            case "cronSchedule" ->
                (field, at) -> {
                    String problem = CronSchedule.problem(field.text());
                    if (problem != null) {
                        field.invalid(problem);
                    }
                };
            case "timeZone" -> Checks.reports(field -> !isTimeZone(field.text()), Field::invalid, message);
            case "identifier" ->
                Checks.reports(field -> !ExpressionIdentifiers.isIdentifier(field.text()), Field::invalid, message);
            case "keptTolerations" -> Checks.reports(field -> !keepsTolerations(field), Field::forbidden, message);
            case "blockVolume" -> ComputedChecks::blockVolume;
            case "podClaim" -> ComputedChecks::podClaim;
            case "requestName" ->
                (field, at) -> {
                    if (!requests(at).contains(field.text())) {
                        field.invalid(message.at(at));
                    }
                };
            case "auditKey" ->
                (key, at) -> {
                    Field policy = at.root().field();
                    key.qualifiedName(policy.at("metadata").text("name") + "/" + key.text());
                };
            case "groupVersion" -> (field, at) -> groupVersion(field);
            case "mixedCaseKind" ->
                (field, at) -> whole(
                        field,
                        field.text(),
                        "may have mixed case, but should otherwise match: ",
                        NameRule.DNS_1035.problems(field.text().toLowerCase(Locale.ROOT)));
            case "wholeSubdomain" ->
                (field, at) ->
                        field.causes().name(field.path(), field.text(), NameRule.SUBDOMAIN.problems(field.text()));
            case "wholeDns1035" ->
                (field, at) ->
                        field.causes().name(field.path(), field.text(), NameRule.DNS_1035.problems(field.text()));
            case "coveredResources" -> (field, at) -> coveredResources(field);
            case "configMapSize" ->
                (map, at) -> tooLong(map, textSize(map.at("data")) + bytesSize(map.at("binaryData")));
            case "secretSize" -> (data, at) -> tooLong(data, bytesSize(data));
            case "dockerConfiguration" -> (field, at) -> dockerConfiguration(field);
            case "containerResources" -> (field, at) -> ResourceNames.checkContainer(field);
            case "containerLimits" ->
                (limits, at) -> ResourceNames.checkContainer(
                        limits.with(JsonNodeFactory.instance.objectNode().set("limits", limits.value())));
            case "limitBounds" -> (field, at) -> LimitCheck.check(field);
            case "quotaResource" -> (field, at) -> ResourceNames.checkQuotaResource(field);
            case "resourceQuota" -> (field, at) -> QuotaCheck.check(field);
            case "memberQuantities" ->
                (field, at) -> field.value().properties().forEach(member -> {
                    if (Quantity.of(member.getValue().asText("")).signum() < 0) {
                        field.at(member.getKey()).invalid(message.at(at));
                    }
                });
            case "onlyStorage" -> (field, at) -> onlyStorage(field);
            case "notSmaller" ->
                Checks.reports(
                        field -> Quantity.of(field.value().asText(""))
                                        .compareTo(Quantity.of(field.old().asText("")))
                                < 0,
                        Field::forbidden,
                        message);
            default -> AddressChecks.ofCertificates(name, message);
        };
    }

    /** Returns whether a string is a canonical 32-bit number: no plus sign, no leading zeros. */
    private static boolean isInt(String text) {
        try {
            return Integer.toString(Integer.parseInt(text)).equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isTimeZone(String zone) {
        return ZoneId.getAvailableZoneIds().contains(zone) || ADDITIONAL_ZONES.contains(zone);
    }

    /** Returns whether existing tolerations are kept; their durations may change. */
    private static boolean keepsTolerations(Field tolerations) {
        if (tolerations.value().equals(tolerations.old())) {
            return true;
        }
        // Strings are hashed rather than trees, as string collisions are cheap.
        Set<String> now = new HashSet<>();
        tolerations.value().forEach(one -> now.add(lasting(one)));
        return tolerations.old().valueStream().map(ComputedChecks::lasting).allMatch(now::contains);
    }

    private static String lasting(JsonNode toleration) {
        return toleration.path("key") + " " + toleration.path("operator") + " " + toleration.path("value") + " "
                + toleration.path("effect");
    }

    /** Checks the name of a volume device of a container, including ephemeral volume claims. */
    private static void blockVolume(Field name, FieldPosition at) {
        FieldPosition pod = at.of("PodSpec");
        Map<String, Boolean> volumes = pod.remember("blockVolume", () -> {
            Map<String, Boolean> blockModes = new HashMap<>();
            at.root()
                    .field()
                    .at("spec")
                    .at("volumeClaimTemplates")
                    .forEach(claim -> blockModes.put(claim.at("metadata").text("name"), true));
            pod.field()
                    .at("volumes")
                    .forEach(volume -> blockModes.put(
                            volume.text("name"), volume.has("persistentVolumeClaim") || volume.has("ephemeral")));
            return blockModes;
        });
        Boolean block = volumes.get(name.text());
        if (block == null) {
            name.notFound();
        } else if (!block) {
            name.invalid("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
        }
    }

    private static void podClaim(Field claim, FieldPosition at) {
        String name = claim.text("name");
        FieldPosition pod = at.of("PodSpec");
        Set<String> names = pod.remember("podClaims", () -> {
            Set<String> claims = new TreeSet<>();
            pod.field().at("resourceClaims").forEach(one -> claims.add(one.text("name")));
            claims.remove("");
            return claims;
        });
        if (!name.isEmpty() && !names.contains(name)) {
            claim.add(
                    "FieldValueNotFound",
                    "Not found: " + FieldErrorMessages.quoted(FieldErrorMessages.clipped(name))
                            + ": must be one of the names in pod.spec.resourceClaims"
                            + (names.isEmpty()
                                    ? " which is empty"
                                    : ": " + FieldErrorMessages.listed(names, UnaryOperator.identity())));
        }
    }

    /** Returns the names of the requests of a claim, with alternatives after a slash. */
    private static Set<String> requests(FieldPosition at) {
        FieldPosition claim = at.of("DeviceClaim");
        return claim.remember("requests", () -> {
            Map<String, Field> first = new HashMap<>();
            claim.field().at("requests").forEach(request -> first.putIfAbsent(request.text("name"), request));
            Set<String> names = new HashSet<>();
            first.forEach((name, request) -> {
                if (name.indexOf('/') < 0) {
                    names.add(name);
                    request.at("firstAvailable").forEach(one -> names.add(name + "/" + one.text("name")));
                }
            });
            return names;
        });
    }

    private static void groupVersion(Field field) {
        String text = field.text();
        int slash = text.indexOf('/');
        String version = text.substring(slash + 1);
        if (slash != text.lastIndexOf('/')) {
            field.invalid("unexpected GroupVersion string: " + text);
            return;
        }
        if (slash > 0) {
            String group = text.substring(0, slash);
            whole(field, group, "", NameRule.SUBDOMAIN.problems(group));
        }
        if (version.isEmpty()) {
            field.invalid("version must be specified");
        } else {
            whole(field, version, "", NameRule.DNS_1035.problems(version));
        }
    }

    private static void whole(Field field, String badValue, String detail, List<String> problems) {
        if (!problems.isEmpty()) {
            field.invalid(badValue, detail + String.join(",", problems));
        }
    }

    private static void coveredResources(Field list) {
        Set<String> allParts = new HashSet<>();
        Set<String> ofAll = new HashSet<>();
        for (Field field : list) {
            String name = field.text();
            int slash = name.indexOf('/');
            if (slash < 0) {
                continue;
            }
            String resource = name.substring(0, slash);
            String part = name.substring(slash + 1);
            if (allParts.contains(resource)) {
                field.invalid("if '" + resource + "/*' is present, must not specify " + name);
            }
            if (ofAll.contains(part)) {
                field.invalid("if '*/" + part + "' is present, must not specify " + name);
            }
            if (part.equals("*")) {
                allParts.add(resource);
            }
            if (resource.equals("*")) {
                ofAll.add(part);
            }
        }
        List<String> names = list.texts();
        if (names.size() > 1 && names.contains("*/*")) {
            list.invalidValue("if '*/*' is present, must not specify other resources");
        }
        if (names.contains("*") && names.stream().anyMatch(name -> !name.equals("*") && name.indexOf('/') < 0)) {
            list.invalidValue("if '*' is present, must not specify other resources without subresources");
        }
    }

    private static void tooLong(Field field, long size) {
        if (size > MAX_DATA) {
            field.tooLong(MAX_DATA);
        }
    }

    private static long textSize(Field texts) {
        long size = 0;
        for (JsonNode text : texts.value()) {
            size += text.asText().getBytes(StandardCharsets.UTF_8).length;
        }
        return size;
    }

    private static long bytesSize(Field values) {
        long size = 0;
        for (JsonNode value : values.value()) {
            size += value.asText().length() * 3L / 4;
        }
        return size;
    }

    private static void dockerConfiguration(Field field) {
        String detail;
        try {
            JsonNode read = ClientJson.read(JSON, Base64.getDecoder().decode(field.text()), 1);
            detail = read.isObject() || read.isNull()
                    ? ""
                    : read.isMissingNode() ? UNEXPECTED_END : "must be a JSON object";
        } catch (JsonEOFException e) {
            detail = UNEXPECTED_END;
        } catch (IOException | IllegalArgumentException e) {
            // The parser's own message could quote the input.
            detail = "must be well-formed JSON";
        }
        if (!detail.isEmpty()) {
            field.invalid("<secret contents redacted>", detail);
        }
    }

    private static void onlyStorage(Field capacity) {
        if (capacity.has("storage") && capacity.value().size() == 1) {
            return;
        }
        ObjectNode badValue = JsonNodeFactory.instance.objectNode();
        capacity.value().properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(one -> badValue.set(one.getKey(), one.getValue()));
        capacity.with(capacity.isMissing() ? NullNode.getInstance() : badValue).notSupported(List.of("storage"));
    }
}
