/**
 * Files that people write (policies, manifests, client configurations), read into a tree in which every value has its line.
 *
 * <p>Reading is safe (no types are constructed, sizes, depth and aliases are bounded), and a problem always has file and line. Interpreting a
 * tree is the caller's job; all its problems are collected and reported together. Not for hot paths: reviews have a streaming codec of their
 * own.
 */
@NullMarked
package io.plat.review.source;

import org.jspecify.annotations.NullMarked;
