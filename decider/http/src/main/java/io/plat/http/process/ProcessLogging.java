package io.plat.http.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;
import org.slf4j.LoggerFactory;

/** Log of a server: to stderr, one line per event, libraries only from warnings on. */
final class ProcessLogging {
    // Line breaks inside a message or a stack trace are folded, and unsafe characters are removed: a client can't forge
    // an
    // event.
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
        // It logs each malformed request, in the client's words: any client could fill the log.
        context.getLogger("org.eclipse.jetty.http.HttpParser").setLevel(Level.ERROR);
        // Of each answer that a client does not read to its end, with a trace; failures of routes are logged by the
        // caller that
        // answers them.
        context.getLogger("io.javalin").setLevel(Level.OFF);
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
}
