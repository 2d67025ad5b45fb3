// No validator, which would be somebody else on the network; thousands of operations are folded.
window.ui = SwaggerUIBundle({
  url: '/openapi/v2',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  deepLinking: true,
  filter: true,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
});
