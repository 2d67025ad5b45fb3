package io.plat.cli.convert;

import io.plat.engine.abac.AbacLine;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;

/** Writes a line of a policy file, in the version that every server of the field reads. */
final class LineWriter {
    private static final Location NOWHERE = new Location("converted", 0);

    private final StringBuilder text = new StringBuilder(
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{");

    private LineWriter() {}

    /** The same line with its text. */
    static AbacLine written(AbacLine line) {
        LineWriter writer = new LineWriter();
        writer.field("user", line.user());
        writer.field("group", line.group());
        writer.field("namespace", line.namespace());
        writer.field("apiGroup", line.apiGroup());
        writer.field("resource", line.resource());
        writer.field("nonResourcePath", line.nonResourcePath());
        if (line.readonly()) {
            writer.name("readonly").append("true");
        }
        return new AbacLine(
                NOWHERE,
                writer.text.append("}}").toString(),
                line.user(),
                line.group(),
                line.readonly(),
                line.apiGroup(),
                line.namespace(),
                line.resource(),
                line.nonResourcePath());
    }

    private void field(String name, String value) {
        if (!value.isEmpty()) {
            name(name).append(JsonText.quoted(value));
        }
    }

    private StringBuilder name(String name) {
        return text.append(text.charAt(text.length() - 1) == '{' ? "" : ",")
                .append(JsonText.quoted(name))
                .append(':');
    }
}
