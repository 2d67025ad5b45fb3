package io.plat.apiserver.custom.cel;

import io.plat.apiserver.custom.schema.TextFormats;
import io.plat.apiserver.rules.NameRule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What a text has to look like, under the name that it has in rules. */
enum TextFormat {
    DNS_1123_LABEL("dns1123Label"),
    DNS_1123_LABEL_PREFIX("dns1123LabelPrefix"),
    DNS_1123_SUBDOMAIN("dns1123Subdomain"),
    DNS_1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix"),
    DNS_1035_LABEL("dns1035Label"),
    DNS_1035_LABEL_PREFIX("dns1035LabelPrefix"),
    QUALIFIED_NAME("qualifiedName"),
    LABEL_VALUE("labelValue"),
    URI("uri"),
    UUID("uuid"),
    BYTE("byte"),
    DATE("date"),
    DATE_TIME("datetime");

    private final String word;

    TextFormat(String word) {
        this.word = word;
    }

    /** Its name in rules. */
    String word() {
        return word;
    }

    /** The one of a name. */
    static Optional<TextFormat> named(String word) {
        return Arrays.stream(values()).filter(one -> one.word.equals(word)).findAny();
    }

    /** What is wrong with a text; empty for one that is right. */
    List<String> problems(String text) {
        return switch (this) {
            case DNS_1123_LABEL -> NameRule.LABEL.problems(text);
            case DNS_1123_LABEL_PREFIX -> NameRule.LABEL.problemsOfPrefix(text);
            case DNS_1123_SUBDOMAIN -> NameRule.SUBDOMAIN.problems(text);
            case DNS_1123_SUBDOMAIN_PREFIX -> NameRule.SUBDOMAIN.problemsOfPrefix(text);
            case DNS_1035_LABEL -> NameRule.DNS_1035.problems(text);
            case DNS_1035_LABEL_PREFIX -> NameRule.DNS_1035.problemsOfPrefix(text);
            case QUALIFIED_NAME -> NameRule.qualifiedName(text).stream().toList();
            case LABEL_VALUE -> NameRule.LABEL_VALUE.problems(text);
            case URI -> ofSchemas(text, "invalid URI");
            case UUID -> ofSchemas(text, "does not match the UUID format");
            case BYTE -> ofSchemas(text, "invalid base64");
            case DATE -> ofSchemas(text, "invalid date");
            case DATE_TIME -> ofSchemas(text, "invalid datetime");
        };
    }

    private List<String> ofSchemas(String text, String problem) {
        return TextFormats.holds(word, text) ? List.of() : List.of(problem);
    }
}
