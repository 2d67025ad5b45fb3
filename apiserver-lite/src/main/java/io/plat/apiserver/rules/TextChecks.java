package io.plat.apiserver.rules;

import io.plat.cel.text.Quantity;
import io.plat.review.NameRule;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Checks of string formats: names, ports, addresses, paths. */
final class TextChecks {
    private static final List<String> COUNTS = List.of("no", "one", "two", "three");
    private static final Template BACKSTEPS = new Template("must not contain '..'");

    private TextChecks() {}

    static Check of(String name, List<String> arguments, Template message) {
        return switch (name) {
            case "label" -> name(NameRule.LABEL);
            case "subdomain" -> name(NameRule.SUBDOMAIN);
            case "dns1035" -> name(NameRule.DNS_1035);
            case "labelValue" -> name(NameRule.LABEL_VALUE);
            case "configKey" -> name(NameRule.CONFIG_KEY);
            case "pathSegment" -> name(NameRule.PATH_SEGMENT);
            case "anyCaseSubdomain" ->
                (field, at) -> NameRule.SUBDOMAIN.problems(lower(field)).forEach(field::invalid);
            case "qualified" -> (field, at) -> field.qualifiedName();
            case "anyCaseQualified" ->
                (field, at) -> NameRule.qualifiedName(lower(field)).forEach(field::invalid);
            case "labels" -> (field, at) -> labels(field);
            case "domain" -> {
                int min = Integer.parseInt(arguments.getFirst());
                yield (field, at) -> domain(field, min);
            }
            case "portNumber" -> (field, at) -> portNumber(field);
            case "ip" -> (field, at) -> field.address();
            case "cidr" -> (field, at) -> AddressChecks.range(field);
            case "positive" ->
                Checks.reports(field -> Quantity.of(field.value().asText("")).signum() <= 0, Field::invalid, message);
            case "noBacksteps" -> noParentReferences(message.isEmpty() ? BACKSTEPS : message);
            case "below" -> below();
            case "file" -> {
                Check below = below();
                yield (field, at) -> {
                    below.check(field, at);
                    String path = field.text();
                    if (path.startsWith("..") && !path.startsWith("../") && !path.equals("..")) {
                        field.invalid("must not start with '..'");
                    }
                };
            }
            default -> ComputedChecks.of(name, message);
        };
    }

    private static Check name(NameRule rule) {
        return (field, at) -> field.name(rule);
    }

    private static String lower(Field field) {
        return field.text().toLowerCase(Locale.ROOT);
    }

    /** Checks labels; kube-apiserver reports problems at the map. */
    public static void labels(Field labels) {
        labels.value().properties().forEach(label -> {
            labels.qualifiedName(label.getKey());
            labels.name(label.getValue().asText(), NameRule.LABEL_VALUE);
        });
    }

    /** Checks a fully qualified domain name with a minimum number of labels, up to three. */
    private static void domain(Field field, int min) {
        if (!field.require("")) {
            return;
        }
        String name = field.text();
        String relative = min < 3 && name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        List<String> problems = NameRule.SUBDOMAIN.problems(relative);
        problems.forEach(field::invalid);
        if (problems.isEmpty() && relative.split("\\.", -1).length < min) {
            field.invalid("should be a domain with at least " + COUNTS.get(min) + " segments separated by dots");
        }
    }

    private static void portNumber(Field port) {
        int number = port.value().asInt();
        if (number < 1 || number > 65535) {
            port.invalidLiteral(port.value().asText("0"), "must be between 1 and 65535, inclusive");
        }
    }

    private static Check noParentReferences(Template message) {
        return Checks.reports(field -> hasParentReference(field.text()), Field::invalid, message);
    }

    private static boolean hasParentReference(String path) {
        return path.contains("..") && Arrays.asList(path.split("/", -1)).contains("..");
    }

    /** Returns a check that a path is relative and stays below its start. */
    private static Check below() {
        Check noParentReferences = noParentReferences(BACKSTEPS);
        return (field, at) -> {
            if (field.text().startsWith("/")) {
                field.invalid("must be a relative path");
            }
            noParentReferences.check(field, at);
        };
    }
}
