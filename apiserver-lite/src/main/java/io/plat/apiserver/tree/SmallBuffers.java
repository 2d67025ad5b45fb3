package io.plat.apiserver.tree;

import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.RecyclerPool;

/**
 * Buffers of parsers and generators, for the usual size of an object. They are not reused: each request has its own thread, and shares
 * nothing with others. Jackson's default buffers have 8 KB each, most of the memory that a small request needs.
 */
final class SmallBuffers extends RecyclerPool.NonRecyclingPoolBase<BufferRecycler> {
    private static final long serialVersionUID = 1L;

    /** Size of a buffer, in bytes or characters. */
    private static final int SIZE = 1024;

    private static final class Buffers extends BufferRecycler {
        @Override
        protected int byteBufferLength(int kind) {
            return Math.min(SIZE, super.byteBufferLength(kind));
        }

        @Override
        protected int charBufferLength(int kind) {
            return Math.min(SIZE, super.charBufferLength(kind));
        }
    }

    @Override
    public BufferRecycler acquirePooled() {
        return new Buffers();
    }
}
