package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.MatrixReview;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.AccessMatrix;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.util.BitSet;

/**
 * Reads and answers AccessMatrices as JSON. In the answer each row has a number for each column, the sum of 2 to the power of the
 * positions of the verbs that are allowed there. Safe for use by any number of threads.
 */
public final class MatrixCodec {
    private final int maxBytes;

    /**
     * A codec.
     *
     * @param maxBytes the largest body that is read, in bytes
     */
    public MatrixCodec(int maxBytes) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("no body could be read: " + maxBytes);
        }
        this.maxBytes = maxBytes;
    }

    /**
     * The question that a client sends. A missing apiVersion or kind is filled in from the path.
     *
     * @param version the version that the path names
     * @throws StatusException 400 for what is malformed or asks about nothing or too much, 413 for what is too large
     */
    public MatrixReview decode(byte[] body, ReviewVersion version) throws StatusException {
        return MatrixReader.read(Body.of(body, maxBytes), version);
    }

    /** The answer. Its columns are those of the question, in their order. UTF-8. */
    public byte[] encode(MatrixReview asked, AccessMatrix matrix) {
        return AnswerDocument.of(MatrixReview.KIND, asked.version(), json -> {
            AnswerDocument.strings("verbs", asked.verbs(), json);
            rows(asked, matrix, json);
        });
    }

    private static void rows(MatrixReview asked, AccessMatrix matrix, JsonGenerator json) throws IOException {
        ExplanationWriter writer = new ExplanationWriter(json);
        json.writeArrayFieldStart("rows");
        for (AccessMatrix.Row row : matrix.rows().items()) {
            json.writeStartObject();
            writer.who(row.who());
            json.writeArrayFieldStart("allowed");
            for (int column = 0; column < asked.columns().size(); column++) {
                json.writeNumber(cell(row.allowed(), column, asked.verbs().size()));
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        writer.leftOut("rowsLeftOut", matrix.rows());
        AnswerDocument.unexplained(matrix.unexplained(), json);
    }

    private static int cell(BitSet allowed, int column, int verbs) {
        int cell = 0;
        for (int verb = 0; verb < verbs; verb++) {
            if (allowed.get(column * verbs + verb)) {
                cell |= 1 << verb;
            }
        }
        return cell;
    }
}
