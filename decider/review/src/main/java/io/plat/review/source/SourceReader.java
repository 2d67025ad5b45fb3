package io.plat.review.source;

import com.fasterxml.jackson.core.JsonParser;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.ScalarType;
import io.plat.tls.files.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reader of YAML and JSON files into trees in which every value has its file and line.
 *
 * <p>Only {@link SourceNode}s are constructed. A malformed, too large or missing file is a {@link ProblemsException}: I/O failures are problems
 * of the file as well, so that a caller reports all of them in one way.
 */
public final class SourceReader {
    /** Maximum size of a file in bytes: 64 MiB, or a fifteenth of a heap of less than 1 GiB, as a file takes several times its size. */
    public static final int MAX_BYTES =
            (int) Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 15);

    /** Maximum nesting depth of lists and mappings. */
    public static final int MAX_DEPTH = 64;

    /** The most documents of one file. */
    public static final int MAX_DOCUMENTS = 500_000;

    /** Maximum number of values of one file, each counted as often as aliases repeat it: one for 256 bytes of heap. */
    public static final int MAX_VALUES =
            (int) Math.min(8_000_000, Runtime.getRuntime().maxMemory() / 256);

    private static final Pattern NEXT_DOCUMENT = Pattern.compile("^(---|\\.\\.\\.)", Pattern.MULTILINE);
    private static final Pattern TABS = Pattern.compile("^[ \t]*\t", Pattern.MULTILINE);
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private SourceReader() {}

    /**
     * Reads the documents of a file, without empty ones.
     *
     * @param file its name in locations, as given here; a name that ends in {@code .json}, or a content that starts with <code>{</code> or {@code [},
     * is read as JSON values one after another, anything else as YAML
     * @throws ProblemsException if the file cannot be read or is malformed
     */
    public static List<SourceNode> readYaml(Path file) throws ProblemsException {
        return readYaml(file.toString(), bytesOf(file));
    }

    /**
     * Reads the documents of a file's content, without empty ones.
     *
     * @param fileName the name in locations, which also determines the format
     * @throws ProblemsException if the content is malformed
     */
    public static List<SourceNode> readYaml(String fileName, byte[] content) throws ProblemsException {
        if (content.length > MAX_BYTES) {
            throw tooLarge(fileName);
        }
        return notNull(documents(fileName, decode(fileName, content)));
    }

    /**
     * Returns the only document of a file.
     *
     * @param what the expected kind of document, for the message
     * @throws ProblemsException if there is none, or more than one
     */
    public static SourceNode only(List<SourceNode> documents, String fileName, String what) throws ProblemsException {
        if (documents.size() != 1) {
            throw new ProblemsException(
                    new Problem(new Location(fileName, 0), "expected one " + what + ", found " + documents.size()));
        }
        return documents.getFirst();
    }

    /** Reader of a file in parts, with limits for the whole file. Not thread-safe. */
    public static final class Parts {
        private final TreeBuilder tree;
        private final boolean json;

        /** Creates a reader for parts that are all JSON or all YAML. */
        public Parts(String fileName, boolean json) {
            this.tree = new TreeBuilder(fileName);
            this.json = json;
        }

        /**
         * Reads the documents of a part, without empty ones.
         *
         * @param firstLine the line of the file on which the part begins, counted from 1
         * @throws ProblemsException if the part is malformed
         */
        public List<SourceNode> read(int firstLine, String text) throws ProblemsException {
            return notNull(json ? JsonTree.readAll(tree, firstLine, text) : YamlTree.readAll(tree, firstLine, text));
        }
    }

    private static List<SourceNode> notNull(List<SourceNode> documents) {
        return documents.stream().filter(document -> !isNull(document)).toList();
    }

    private static List<SourceNode> documents(String fileName, String text) throws ProblemsException {
        if (isJson(fileName, text)) {
            try {
                return JsonTree.readAll(new TreeBuilder(fileName), 1, text);
            } catch (ProblemsException e) {
                if (fileName.endsWith(".json")) {
                    throw e;
                }
                // YAML in flow style begins like JSON. The library refuses tabs as its indentation.
                if (!NEXT_DOCUMENT.matcher(text).find()) {
                    String spaced = TABS.matcher(text)
                            .replaceAll(tabs -> " ".repeat(tabs.group().length()));
                    return YamlTree.readAll(new TreeBuilder(fileName), 1, spaced);
                }
            }
        }
        return YamlTree.readAll(new TreeBuilder(fileName), 1, text);
    }

    /**
     * Reads a single JSON value within a file, such as one line of a policy.
     *
     * @param fileName the name in locations
     * @param firstLine the line of the file on which the text begins, counted from 1
     * @throws ProblemsException if the text is not exactly one JSON value
     */
    public static SourceNode readJson(String fileName, int firstLine, String text) throws ProblemsException {
        return JsonTree.readOne(fileName, firstLine, text);
    }

    /**
     * Reads the JSON value at a parser's position, up to its end. Its locations are meaningless.
     *
     * @throws IOException if it is malformed
     * @throws ProblemsException if it has a duplicate key or too many values
     */
    public static SourceNode readValue(JsonParser parser) throws IOException, ProblemsException {
        return JsonTree.readValue(parser);
    }

    /**
     * Reads the text of a file, for formats that are not YAML or JSON as a whole.
     *
     * @return the content without a byte order mark
     * @throws ProblemsException if the file cannot be read, is too large or is not UTF-8
     */
    public static String readText(Path file) throws ProblemsException {
        return decode(file.toString(), bytesOf(file));
    }

    /**
     * Reads the bytes of a file, for readers that process bytes themselves.
     *
     * @return the content without a byte order mark; it may be invalid UTF-8, which {@link #readYaml(String, byte[])} reports
     * @throws ProblemsException if the file cannot be read or is too large
     */
    public static byte[] readBytes(Path file) throws ProblemsException {
        byte[] content = bytesOf(file);
        int mark = BYTE_ORDER_MARK.length;
        boolean marked = content.length >= mark && Arrays.equals(content, 0, mark, BYTE_ORDER_MARK, 0, mark);
        return marked ? Arrays.copyOfRange(content, mark, content.length) : content;
    }

    private static byte[] bytesOf(Path file) throws ProblemsException {
        try (InputStream in = Channels.newInputStream(RegularFile.open(file))) {
            byte[] content = in.readNBytes(MAX_BYTES + 1);
            if (content.length > MAX_BYTES) {
                throw tooLarge(file.toString());
            }
            return content;
        } catch (IOException e) {
            throw new ProblemsException(
                    new Problem(new Location(file.toString(), 0), "cannot read: " + reason(file, e)));
        }
    }

    /** Returns the reason why a file cannot be read, in a few words. */
    public static String reason(Path file, IOException e) {
        if (e instanceof NoSuchFileException) {
            return "no such file";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (Files.isDirectory(file)) {
            return "is a directory";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : Quoted.oneLine(message);
    }

    private static ProblemsException tooLarge(String fileName) {
        return new ProblemsException(new Problem(new Location(fileName, 0), "larger than " + limit(MAX_BYTES)));
    }

    /** Returns a limit with its unit, and a note if it depends on the heap. */
    public static String limit(long bytes) {
        String heap = MAX_BYTES < 64 << 20 ? " (a share of the heap, see -Xmx)" : "";
        return (bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB") + heap;
    }

    /**
     * Decodes the content of a file, without a byte order mark.
     *
     * @throws ProblemsException if it is not UTF-8
     */
    public static String decode(String fileName, byte[] content) throws ProblemsException {
        // The fastest decoding, which replaces invalid bytes by U+FFFD; the text itself may contain that too.
        String text = new String(content, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            requireUtf8(fileName, content);
        }
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static void requireUtf8(String fileName, byte[] content) throws ProblemsException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        try {
            StandardCharsets.UTF_8.newDecoder().decode(bytes);
        } catch (CharacterCodingException e) {
            // The decoder stops at the first invalid byte, so the lines before it can be counted.
            throw new ProblemsException(
                    new Problem(new Location(fileName, lineAt(content, bytes.position())), "not valid UTF-8"));
        }
    }

    private static int lineAt(byte[] content, int position) {
        int line = 1;
        for (int i = 0; i < position; i++) {
            if (content[i] == '\n') {
                line++;
            }
        }
        return line;
    }

    /** Returns whether a text is read as JSON values: by its file's name, or its first character. */
    public static boolean isJson(String fileName, String text) {
        if (fileName.endsWith(".json")) {
            return true;
        }
        String stripped = text.stripLeading();
        return stripped.startsWith("{") || stripped.startsWith("[");
    }

    private static boolean isNull(SourceNode document) {
        return document instanceof Scalar scalar && scalar.type() == ScalarType.NULL;
    }
}
