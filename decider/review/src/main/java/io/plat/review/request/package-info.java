/**
 * Request attributes: verb and resource, or verb and path, derived once from the method and the raw request target.
 *
 * <p>Authorizer and router use the same {@link io.plat.review.request.RequestInfo}; neither parses the target again, so that no
 * path is interpreted in two ways. An ambiguous target is rejected with 400 before authentication:
 *
 * <table>
 * <caption>Treatment of unusual targets</caption>
 * <tr><th>target</th><th>treatment</th></tr>
 * <tr><td>does not begin with {@code /} ({@code *}, an authority)</td><td>400. An absolute-form target, which RFC 9112, 3.2.2
 *     requires servers to accept, is reduced to its path by the connection</td></tr>
 * <tr><td>an empty segment ({@code //})</td><td>400; one trailing slash is significant on non-resource paths and
 *     ignored on resources, as in Kubernetes</td></tr>
 * <tr><td>a segment {@code .} or {@code ..}, literal or encoded</td><td>400, never resolved</td></tr>
 * <tr><td>{@code ;} (matrix parameters), {@code \}, literal or encoded</td><td>400</td></tr>
 * <tr><td>an encoded slash ({@code %2F}) or percent sign ({@code %25})</td><td>400: no API name contains either, and
 *     decoding twice would yield another path</td></tr>
 * <tr><td>NUL and other control characters, encoded or not</td><td>400</td></tr>
 * <tr><td>a percent sign without two hexadecimal digits</td><td>400</td></tr>
 * <tr><td>malformed UTF-8 (including overlong forms and surrogates)</td><td>400</td></tr>
 * <tr><td>a character outside ASCII or a space that is not encoded</td><td>400</td></tr>
 * <tr><td>any other encoded character ({@code %3A})</td><td>decoded once; equivalent to the literal character</td></tr>
 * <tr><td>letters in another case ({@code /API/v1})</td><td>another path: nothing is folded, and Unicode is not normalized</td></tr>
 * </table>
 *
 * <p>All types are immutable. Label selectors are parsed by the caller's parser.
 */
@NullMarked
package io.plat.review.request;

import org.jspecify.annotations.NullMarked;
