package io.plat.http.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.json.JsonFactories;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** Log of a server: to stderr, one line per event, libraries only from warnings on. */
final class ProcessLogging {
    // Line breaks in messages and stack traces are folded, and unsafe characters are removed, so that clients cannot
    // forge events.
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} "
            + "%replace(%msg){'" + Quoted.UNSAFE
            + "', ' '}%replace(%replace(%replace( | %ex){'\\s*[\\r\\n]+\\s*', ' | '}){'^ \\| $', ''}){'"
            + Quoted.UNSAFE + "', ' '}"
            + "%nopex%n";

    /** Property of the logger context: whether events are JSON objects. */
    private static final String JSON = "io.plat.json";

    private ProcessLogging() {}

    /**
     * Configures the log of this process.
     *
     * @param json whether events are JSON objects
     */
    static void configure(boolean json) {
        LogManager.getLogManager().reset();
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        context.putProperty(JSON, String.valueOf(json));
        ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
        stderr.setContext(context);
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder(context));
        stderr.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(stderr);
        root.setLevel(Level.WARN);
        context.getLogger("io.plat").setLevel(Level.INFO);
        // It logs each malformed request with client input: any client could fill the log.
        context.getLogger("org.eclipse.jetty.http.HttpParser").setLevel(Level.ERROR);
    }

    /** Returns the format of an event as a line. */
    static Encoder<ILoggingEvent> encoder(LoggerContext context) {
        PatternLayoutEncoder pattern = new PatternLayoutEncoder();
        pattern.setPattern(PATTERN);
        LayoutWrappingEncoder<ILoggingEvent> encoder = pattern;
        if (Boolean.parseBoolean(context.getProperty(JSON))) {
            encoder = new LayoutWrappingEncoder<>();
            encoder.setCharset(StandardCharsets.UTF_8);
            encoder.setLayout(new JsonLines());
        }
        encoder.setContext(context);
        encoder.start();
        return encoder;
    }

    /** Log events as JSON objects, one per line, in ASCII. Each {@code key={}} of a message's template is a field: no client can add one. */
    private static final class JsonLines extends LayoutBase<ILoggingEvent> {
        private static final Pattern PLACEHOLDER = Pattern.compile("(?:([a-zA-Z_]+)=)?\\{}");

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
            Matcher placeholders = PLACEHOLDER.matcher(event.getMessage());
            for (int i = 0; values != null && i < values.length && placeholders.find(); i++) {
                if (placeholders.group(1) == null) {
                    continue;
                }
                json.writeFieldName(placeholders.group(1));
                if (values[i] instanceof Number number) {
                    json.writeNumber(number.toString());
                } else {
                    json.writeString(String.valueOf(values[i]));
                }
            }
        }
    }
}
