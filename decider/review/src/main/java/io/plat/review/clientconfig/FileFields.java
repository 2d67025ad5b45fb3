package io.plat.review.clientconfig;

import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.tls.pem.PemSource;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Fields with a file name, relative to the configuration file, or the file's content in base64 under {@code NAME-data}. */
final class FileFields {
    private final Path folder;

    FileFields(Path folder) {
        this.folder = folder;
    }

    /** Returns PEM text in a file or inline; null if there is neither or the given one is invalid. */
    @Nullable
    PemSource pem(SourceFields fields, String key) {
        String dataKey = key + "-data";
        String path = fields.string(key);
        String data = fields.string(dataKey);
        if (!path.isEmpty() && !data.isEmpty()) {
            fields.problem(dataKey, "given together with " + key + ", expected one of them");
            return null;
        }
        if (!data.isEmpty()) {
            return inline(fields, dataKey, data);
        }
        Path file = file(fields, key);
        return file == null ? null : PemSource.file(file);
    }

    private static @Nullable PemSource inline(SourceFields fields, String key, String data) {
        try {
            byte[] content = Base64.getDecoder().decode(data.replaceAll("[\\r\\n \\t]", ""));
            return PemSource.inline(fields.where(key) + ": " + key, content);
        } catch (IllegalArgumentException e) {
            fields.problem(key, "not valid base64");
            return null;
        }
    }

    /** Returns a readable file; null if none is given or it is not readable. */
    @Nullable
    Path file(SourceFields fields, String key) {
        String path = fields.string(key);
        if (path.isEmpty()) {
            return null;
        }
        Path file;
        try {
            file = folder.resolve(path);
        } catch (InvalidPathException e) {
            fields.problem(key, "not a path: " + Quoted.of(path));
            return null;
        }
        String defect = defect(file);
        if (defect.isEmpty()) {
            return file;
        }
        fields.problem(key, "can't read " + Quoted.of(file.toString()) + ": " + defect);
        return null;
    }

    private static String defect(Path file) {
        if (!Files.exists(file)) {
            return "no such file";
        }
        if (Files.isDirectory(file)) {
            return "is a directory";
        }
        return Files.isReadable(file) ? "" : "permission denied";
    }
}
