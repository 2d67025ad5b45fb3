package io.plat.http.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Log events as JSON objects, one per line, in ASCII. Each {@code key={}} of a message's template is a field: no client can add one. */
final class JsonLines extends LayoutBase<ILoggingEvent> {
    private static final Pattern PLACE = Pattern.compile("(?:([a-zA-Z_]+)=)?\\{}");

    @Override
    public String doLayout(ILoggingEvent event) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = JsonFactories.create().createGenerator(line)) {
            json.setHighestNonEscapedChar(127);
            json.writeStartObject();
            json.writeStringField("time", event.getInstant().toString());
            json.writeStringField("level", event.getLevel().toString());
            json.writeStringField("logger", event.getLoggerName().replaceFirst(".*\\.", ""));
            json.writeStringField("message", event.getFormattedMessage());
            details(json, event);
            if (event.getThrowableProxy() != null) {
                json.writeStringField("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return line.append('\n').toString();
    }

    private static void details(JsonGenerator json, ILoggingEvent event) throws IOException {
        Object[] values = event.getArgumentArray();
        Matcher places = PLACE.matcher(event.getMessage());
        for (int i = 0; values != null && i < values.length && places.find(); i++) {
            if (places.group(1) == null) {
                continue;
            }
            json.writeFieldName(places.group(1));
            if (values[i] instanceof Number number) {
                json.writeNumber(number.toString());
            } else {
                json.writeString(String.valueOf(values[i]));
            }
        }
    }
}
